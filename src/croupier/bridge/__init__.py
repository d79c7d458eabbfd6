"""The table bridge: sensors, buttons, lamps and a card reader that become acts of the floor."""

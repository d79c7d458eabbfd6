"""The pages of the floor: lobby, keypad, display, console. They hold no rule: they speak to the API and its events."""

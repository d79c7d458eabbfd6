"""The evidence file: everything that an approval rests on, in one signed archive that anybody opens and checks."""

"""The lab: a paytable or a placard while somebody changes it."""

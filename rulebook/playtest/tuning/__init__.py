"""Values of house rules, copies and numbers are searched for an aim.

See decision 80. `aims` reads what is wanted, `counted` has the figures of one setting, `searching` finds settings.
"""

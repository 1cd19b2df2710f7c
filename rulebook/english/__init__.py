"""Scripts told in English from the IR: `sheet` tells cards, rules and values.

`scripts` turns statements into steps, `expressions` turns expressions into things, groups and claims, and both hand a
`Context` along. `prose` makes sentences of steps; `grammar` and `lexicon` have the words.
"""

"""Exact blackjack: what every decision is worth, the whole game's edge, charts and swings, for any shoe.

solver        `solve(rules, shoe, convention)`: edge, values and best play of every hand; insurance
conventions   what is assumed of hands after a split: CDZ-, CDP1, BEST, CDP, CDPN
basic         `basic_strategy(rules)`, `evaluate(chart, rules)`: the best chart of totals, and any chart's exact edge
chart         `Chart`: a strategy as people print it
switch        `best_switching(rules)`: two hands of one seat whose second cards may change places
sampled       tables with which blackjack is sampled, and what is sampled because it cannot be counted
moments       `moments(solution)`: the law of a round's result and its standard deviation
dealer        `dealer_distribution(rules, up)`: how the dealer's hand ends
shoe          `Composition`: what is left in a shoe
results       `results(rules)`: what each hand wins against each of the dealer's, as the table itself judges and pays

Below these are `table` (one shoe counted out), `strategy` (any fixed play), `pairs` and `splits` (what a split is
worth), `outcomes` (how its hands end together), `hands` (all hands), and the loops in `analysis.kernels`.
"""

"""Small games, walked whole: the game tree, what is counted in it, equilibria, best responses."""

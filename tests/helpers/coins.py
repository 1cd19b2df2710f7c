"""A game of a few lines, which is over in a few answers."""

GAME = """\
format: 1
name: Coins
players: 2..3
options:
  turns: {type: 1..9, default: 3}
memory:
  player: {points: 0}
rules:
  game: |
    repeat options.turns:
      each me in players:
        choose n from 1..3
        add n to me.points
result:
  rank: most points
"""

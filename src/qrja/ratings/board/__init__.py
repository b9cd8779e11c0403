"""The board: who is ahead, by how much.

Reading order: :mod:`leaderboard` (rows and tables), :mod:`exchange_rates` (tables of ratios).
"""

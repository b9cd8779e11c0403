"""Commands that need no file of yours: a demonstration, data sets, the paper's experiments.

Reading order: ``datasets``, ``demo``, ``compiling``, and ``paper``, a group of commands.
"""

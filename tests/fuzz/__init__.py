"""The harness that keeps looking: random cases, checks that need no trust, and what they found.

A *kind* of case is a drawer and a judge: ``draw(rng)`` makes a case, plain data that JSON can hold,
and ``check(case)`` returns, or raises a :class:`~fuzz.kind.Failure` with a category. Only public
names and the real command line are used, so that the inside may move.

Read in this order:

- ``kind``: what a kind is, and the failure that a check raises;
- ``problems/``: random problems for the solvers (``random``), their loss and the bound of a flow in
  80 digits (``exact``), and independent optima (``optima``);
- ``kinds/``: one file each for solvers, models (terms, drift, contexts), invariances, histories
  (update, remove, correct, save), tables, formats (the same rows in each), places (of planted
  mistakes), damage (bytes; bits has all), forgeries (values), names, configs, signals (kill,
  Ctrl-C), disks, writers (several at once), notebooks (Ctrl-C in Python) and resources;
- ``worker`` and ``watch``: checks run in a process of their own, which may hang or die;
- ``warm_database``: one for many tables;
- ``children``: commands of the command line as forked children of a warm process;
- ``guided``: the same checks on bytes that atheris finds by coverage;
- ``shrink`` and ``corpus``: failures are made small and kept, and the ordinary tests replay them;
- ``known``: what fails today, each with its reason; an entry that no longer fails must go;
- ``engine``, ``__main__`` and ``page``: the run, its command, and its table in
  ``docs/reliability.md``.

``make fuzz`` takes minutes, ``make soak`` an hour; ``PYTHONPATH=tests python -m fuzz --help`` tells
the rest.
"""

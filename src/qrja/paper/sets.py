"""The paper's seven data sets: where the authors keep them and what is peculiar to each."""

from __future__ import annotations

from dataclasses import dataclass

from qrja.errors import InputError, nearest


@dataclass(frozen=True)
class PaperSet:
    """One data set of the paper.

    Parameters
    ----------
    title : str
        What the paper calls it.
    folder : str
        Where the authors' repository has it; their F1 and F1-Full have other names there.
    size : int
        Bytes of the authors' file.
    sha256 : str
        Its checksum.
    epoch_step : int
        The matrix factorisations are looked at after 0, 1, ..., 10 times so many epochs.
    newest_first : bool
        Whether the file lists the newest contest first, so that the paper predicts the past from
        the future.
    """

    title: str
    folder: str
    size: int
    sha256: str
    epoch_step: int = 10
    newest_first: bool = False


SETS = {
    "chess": PaperSet(
        "Chess",
        "chess",
        140_884,
        "4a1d29b88203e98ce7c16c5bc7e9a60d3d8a23265a77039535d34fa5747fe6b4",
        epoch_step=20,
    ),
    "f1": PaperSet(
        "F1",
        "f1-core",
        541_749,
        "32d95dac7b74a6cb43aeb033359f14b9ad911fafb3978bebb9f08abd335d568e",
        epoch_step=100,
    ),
    "marathon": PaperSet(
        "Marathon",
        "marathon",
        197_685,
        "d1f5e3a7ada18fa711a8c011c76930b90b8bdd9937178333042647f0dc7bb580",
    ),
    "codeforces": PaperSet(
        "Codeforces",
        "codeforces",
        1_302_405,
        "5dc6ab25bd7907e991dcffeb85fa016c62fde043ad1df584851670565ea570d9",
    ),
    "cross-tables": PaperSet(
        "Cross-Tables",
        "cross-tables",
        1_670_568,
        "bc300a184bdb65edc522fb291e29b170faeb78d577ad91fb42b16ac3a3da9989",
        epoch_step=50,
    ),
    "f1-full": PaperSet(
        "F1-Full",
        "f1",
        1_594_797,
        "769455785e4851702fe1574de6f3f9bd30ac28de8f3fbc8ac28d1a00a5b0d480",
        epoch_step=100,
    ),
    "codeforces-core": PaperSet(
        "Codeforces-Core",
        "codeforces-core",
        153_907,
        "a84f0929e977e75ad03c2785ae8d12db4949658088d2d2a3f82a925bbcc03b48",
        newest_first=True,
    ),
}
"""The sets in the order of the paper."""


def check_set(name: str) -> PaperSet:
    """Return the set of that name, or say which there are.

    Examples
    --------
    >>> check_set("f1").folder
    'f1-core'
    >>> check_set("ches")
    Traceback (most recent call last):
    qrja.errors.InputError: the paper has no set 'ches'; did you mean 'chess'?
    """
    if name not in SETS:
        hint = nearest(name, SETS) or f"; choose from {', '.join(SETS)}"
        raise InputError(f"the paper has no set {name!r}{hint}")
    return SETS[name]

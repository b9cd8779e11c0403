"""Parts: what an entry is made of besides its contestant, such as a jockey and a trainer.

    x_a - x_b + sum over parts of (u_a - u_b)  ~  y,        u pulled toward 0

Reading order: :mod:`part_names` (which parts are asked for), :mod:`part_columns` (who is in which
entry), :mod:`together` (what nothing tells apart), :mod:`part_scores` (what was found).
"""

from qrja.parts.part_columns import PartColumns, known_as_levels, name_members, parts_in
from qrja.parts.part_names import PartKind, as_parts, columns_of_parts
from qrja.parts.part_scores import PartScores
from qrja.parts.together import Together, find_together

__all__ = [
    "PartColumns",
    "PartKind",
    "PartScores",
    "Together",
    "as_parts",
    "columns_of_parts",
    "find_together",
    "known_as_levels",
    "name_members",
    "parts_in",
]

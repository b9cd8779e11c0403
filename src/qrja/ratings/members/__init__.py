"""Members: boards of what entries are made of besides their contestants (:mod:`qrja.parts`).

Reading order: :mod:`member_lines` (a board for each part), :mod:`member_words` (in sentences and
for JSON).
"""

from qrja.ratings.members.member_lines import MemberLine, list_members, tabulate_members
from qrja.ratings.members.member_words import describe_members, say_members

__all__ = ["MemberLine", "describe_members", "list_members", "say_members", "tabulate_members"]

"""Questions: about two, and about all of a league: what to compare next, whether to trust it.

Reading order: :mod:`compared` (why one is above another), :mod:`slow_answers` (found once for all
who ask), then the faces :mod:`question_pages` and :mod:`question_api`.
"""

from qrja.serve.questions.question_api import make_question_api
from qrja.serve.questions.question_pages import add_question_pages
from qrja.serve.questions.slow_answers import SlowAnswers

__all__ = ["SlowAnswers", "add_question_pages", "make_question_api"]

"""The questions a fit answers, as methods: each is one call into the room of that question.

Reading order: :mod:`of_boards` (what the ratings are), :mod:`of_doubt` (how sure), then
:mod:`of_reasons` (why), :mod:`of_forecasts` (what next) and :mod:`of_time` (what changes).
"""

from qrja.ratings.questions.of_boards import BoardQuestions
from qrja.ratings.questions.of_doubt import DoubtQuestions
from qrja.ratings.questions.of_forecasts import ForecastQuestions
from qrja.ratings.questions.of_reasons import ReasonQuestions
from qrja.ratings.questions.of_time import TimeQuestions

__all__ = [
    "BoardQuestions",
    "DoubtQuestions",
    "ForecastQuestions",
    "ReasonQuestions",
    "TimeQuestions",
]

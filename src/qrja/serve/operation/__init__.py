"""Operation: what whoever runs a server sees of it.

Reading order: :mod:`exposition` (numbers for Prometheus), :mod:`request_log` (a line for each
request, without secrets), :mod:`watching` (the middleware that feeds both), :mod:`running` (start,
signals and a graceful stop).
"""

from qrja.serve.operation.exposition import TEXT, Metrics
from qrja.serve.operation.running import listen, run_server, stop_by_signal
from qrja.serve.operation.watching import Watching

__all__ = ["TEXT", "Metrics", "Watching", "listen", "run_server", "stop_by_signal"]

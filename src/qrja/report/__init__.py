"""The report: everything about some ratings in one HTML file that needs nothing else."""

from qrja.report.document import make_report, write_report

__all__ = ["make_report", "write_report"]

"""The engine of a cluster: Spark deals the rows, its workers read shards, the driver has vectors.

Everything is asked through data frames, so classic sessions and Spark Connect are one. Workers need
the package, and a folder that they share with the driver.

Reading order: :mod:`spark_session` (which Spark, and what is missing), :mod:`spark_jobs` (do this
on workers), :mod:`spark_dealing` (rows become buckets), :mod:`spark_passes` (the one question),
:mod:`spark_engine` (all of it together).
"""

from qrja.scale.engines.spark.spark_engine import SparkEngine
from qrja.scale.engines.spark.spark_session import find_session

__all__ = ["SparkEngine", "find_session"]

"""Processes of Spark for tests: settings that all find, and a cluster of a master and workers."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from pathlib import Path

# A virtual machine lives for seconds here: what optimises its code would be most of its work.
BRIEF = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
SETTINGS = f"""
spark.ui.enabled                  false
spark.ui.showConsoleProgress      false
spark.driver.memory               1g
spark.executor.memory             1g
spark.log.level                   OFF
spark.sql.shuffle.partitions      2
# Every plan is new and used once.
spark.sql.codegen.wholeStage      false
# Workers take what the driver would.
spark.qrja.driver.entries         0
spark.driver.extraJavaOptions     {BRIEF}
spark.executor.extraJavaOptions   {BRIEF}
# Workers are new and the data small: no time to load a compiler.
spark.executorEnv.QRJA_COMPILE
"""


class Standalone:
    """A master and two workers of Spark, each a process of its own."""

    def __init__(self, home: Path) -> None:
        import pyspark

        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.home, self.spark = home, Path(pyspark.__file__).parent
        self.master = f"spark://127.0.0.1:{self.port}"
        self.all: list[subprocess.Popen[bytes]] = []
        own = ["--host", "127.0.0.1", "--webui-port", "0"]
        self._start("master.Master", [*own, "--port", str(self.port)])
        self._wait()
        for number in range(2):
            self.add_worker(number)

    def add_worker(self, number: int) -> None:
        place = ["--work-dir", str(self.home / f"work-{number}"), "--webui-port", "0"]
        self._start(
            "worker.Worker", ["--host", "127.0.0.1", "-c", "1", "-m", "1g", *place, self.master]
        )

    def _start(self, part: str, arguments: list[str]) -> None:
        command = [str(self.spark / "bin" / "spark-class"), f"org.apache.spark.deploy.{part}"]
        environment = os.environ | {"SPARK_HOME": str(self.spark), "SPARK_DAEMON_MEMORY": "256m"}
        with (self.home / f"log-{len(self.all)}").open("wb") as log:
            self.all.append(
                subprocess.Popen(
                    [*command, *arguments],
                    stdout=log,
                    stderr=log,
                    env=environment,
                    start_new_session=True,
                )
            )

    def _wait(self) -> None:
        for _ in range(600):
            with socket.socket() as asked:
                if asked.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.1)
        raise TimeoutError((self.home / "log-0").read_text())

    def stop(self) -> None:
        for process in self.all:
            # A worker's executors belong to its group.
            os.killpg(process.pid, signal.SIGKILL) if process.poll() is None else None
            process.wait()

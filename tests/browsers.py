"""What tests of pages share: Chromium, and a server on a free port of this machine."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import sleep
from typing import Any

import pytest

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PHONE = {"viewport": {"width": 390, "height": 780}, "is_mobile": True}


@contextmanager
def chromium() -> Iterator[Any]:
    """Launch the browser, or skip."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    # Chromium refuses to run as root with its sandbox, which is where containers run tests.
    flags = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    with playwright.sync_playwright() as driver:
        if found is None and not Path(driver.chromium.executable_path).exists():
            pytest.skip("no Chromium on PATH and none installed by playwright")
        launched = driver.chromium.launch(executable_path=found, args=flags)
        try:
            yield launched
        finally:
            launched.close()


@contextmanager
def served(app: Any) -> Iterator[str]:
    """Serve an application; yield its address."""
    uvicorn = pytest.importorskip("uvicorn", reason="uvicorn is not installed")
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="warning"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive(), "the server ended before it served"
        sleep(0.05)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(timeout=30)

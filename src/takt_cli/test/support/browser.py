# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""A real browser without a window, and pages in it that record their requests, messages and errors."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Dialog, Page, expect, sync_playwright

# A busy host may be slow.
expect.set_options(timeout=600_000)

NAMES = ("chromium", "google-chrome", "chromium-browser")


def browser_program() -> str:
    """Return the path of the system's own browser. Skip the test if there is none, or fail it if TAKT_REQUIRE_BROWSER
    is set."""
    for name in NAMES:
        path = shutil.which(name)
        # Ubuntu's package only has a script that fails and says how to install the browser.
        if path and subprocess.run([path, "--version"], capture_output=True, check=False).returncode == 0:
            return path
    if os.environ.get("TAKT_REQUIRE_BROWSER"):
        pytest.fail(f"none of {', '.join(NAMES)} is installed: setup/system.sh setup/apt-packages-test.txt")
    pytest.skip("browser")


@contextmanager
def open_browser() -> Iterator[Browser]:
    program = browser_program()
    with sync_playwright() as playwright:
        # Containers have little room in /dev/shm. Playwright disables the sandbox, which does not work for root.
        browser = playwright.chromium.launch(executable_path=program, args=["--disable-dev-shm-usage"])
        try:
            yield browser
        finally:
            browser.close()


@dataclass
class Opened:
    """A page that was opened from a file, with the requests and complaints that it has made since."""

    page: Page
    file: Path
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def run(self, script: str, argument: Any = None) -> Any:
        return self.page.evaluate(script, argument)

    def settled(self) -> None:
        """Wait until every plot has been laid out for the present width of the window."""
        self.page.wait_for_function(
            "() => [...document.querySelectorAll('.drawing')].every((d) => "
            "Math.abs(d.getBoundingClientRect().width - d._fullLayout.width) < 1)"
        )

    def dismiss(self, dialog: Dialog) -> None:
        self.complaints.append(dialog.message)
        dialog.dismiss()

    def check(self) -> None:
        """Assert that the page has complained of nothing and has requested nothing but its own file."""
        assert self.complaints == []
        assert {url.partition("#")[0] for url in self.requests} == {self.file.as_uri()}


def open_page(browser: Browser, file: Path, drawn: bool = True, **settings: Any) -> Opened:
    """Open a file as a page in a window of its own. With `drawn`, wait until its plots are drawn."""
    page = browser.new_context(**({"viewport": {"width": 1280, "height": 900}} | settings)).new_page()
    # Long enough for a busy host.
    page.set_default_timeout(600_000)
    opened = Opened(page, file)
    page.on("console", lambda message: opened.complaints.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: opened.complaints.append(str(error)))
    page.on("dialog", opened.dismiss)
    page.on("request", lambda request: opened.requests.append(request.url))
    page.goto(file.as_uri())
    if drawn:
        page.wait_for_selector("html[data-drawn]", state="attached")
    return opened

"""A browser driven over the WebDriver protocol, with nothing but the standard library."""

from __future__ import annotations

import base64
import json
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

BINARIES = ("chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update "
    "--disable-sync --disable-dev-shm-usage"
).split()


def why_not() -> str | None:
    """Why no browser can be driven here; None where one can."""
    if not any(map(shutil.which, BINARIES)):
        return "no Chromium here: install the packages chromium and chromium-driver"
    return None if shutil.which("chromedriver") else "no chromedriver here: install the package chromium-driver"


class Browser:
    """One window.

    Args:
        profile: An empty folder.
        width: Of the page, in pixels.
        height: Of the page.
        dark: Whether the person prefers dark.
    """

    def __init__(self, profile: Path, *, width: int = 1280, height: int = 900, dark: bool = False) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self._base = f"http://127.0.0.1:{port}"
        self._driver = subprocess.Popen(
            [shutil.which("chromedriver") or "", f"--port={port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        self._session = ""
        try:
            self._wait()
            options = {
                "binary": next(filter(None, map(shutil.which, BINARIES))),
                "args": [*FLAGS, "--host-resolver-rules=MAP * ~NOTFOUND", f"--user-data-dir={profile}", f"--window-size={width},{height}"],
            }
            wanted = {"browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"performance": "ALL", "browser": "ALL"}}
            self._session = self._ask("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})["sessionId"]
            self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
            self.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def open(self, page: Path, fragment: str = "") -> None:
        """Opens a file."""
        self.say("POST", "/url", {"url": page.as_uri() + fragment})

    def run(self, script: str, *arguments: Any) -> Any:
        """What the script returns."""
        return self.say("POST", "/execute/sync", {"script": script, "args": arguments})

    def click(self, selector: str) -> None:
        """Clicks where the element is, as a person does."""
        found = self.say("POST", "/element", {"using": "css selector", "value": selector})
        self.say("POST", f"/element/{next(iter(found.values()))}/click", {})

    def type(self, keys: str) -> None:
        """Presses keys, one after another, wherever the focus is."""
        actions = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self.say("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def until(self, condition: str, seconds: float = 5.0) -> None:
        """Returns as soon as the condition holds."""
        end = time.monotonic() + seconds
        while not self.run(f"return Boolean({condition})"):
            if time.monotonic() > end:
                raise AssertionError(f"did not come about: {condition}")
            time.sleep(0.05)

    def picture(self, file: Path) -> None:
        """Writes what is seen as a PNG."""
        file.write_bytes(base64.b64decode(self.say("GET", "/screenshot")))

    def devtools(self, command: str, **parameters: Any) -> Any:
        """Sends a command of the DevTools protocol."""
        return self.say("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def complaints(self) -> list[str]:
        """What the console says."""
        return [entry["message"] for entry in self.say("POST", "/se/log", {"type": "browser"})]

    def requests(self) -> list[str]:
        """Every address that was asked for since the last question, but the browser's own first page."""
        events = [json.loads(entry["message"])["message"] for entry in self.say("POST", "/se/log", {"type": "performance"})]
        asked = [e["params"]["request"]["url"] for e in events if e["method"] == "Network.requestWillBeSent"]
        return [url for url in asked if not url.startswith("chrome:")]

    def say(self, method: str, path: str, body: Any = None) -> Any:
        """Sends a command to the window."""
        return self._ask(method, f"/session/{self._session}{path}", body)

    def close(self) -> None:
        """Ends the window and its driver."""
        try:
            if self._session:
                self._ask("DELETE", f"/session/{self._session}")
        except (OSError, AssertionError):
            pass
        finally:
            self._driver.terminate()
            self._driver.wait(10)

    def _wait(self) -> None:
        for _ in range(200):
            try:
                self._ask("GET", "/status")
            except OSError:
                time.sleep(0.05)
            else:
                return
        raise AssertionError("chromedriver did not start")

    def _ask(self, method: str, path: str, body: Any = None) -> Any:
        request = urllib.request.Request(
            self._base + path,
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json"},
        )
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(error.read().decode(errors="replace")[:2000]) from error

"""A headless Chromium driven over its debugging pipe: no extra package, no port, no network.

Messages of the DevTools protocol are JSON texts that end in a zero byte, written to file descriptor 3 and
read from 4.
"""

import contextlib
import json
import os
import select
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from typing import Any

PATIENCE = 180.0  # seconds; a busy machine may need many
NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS = (
    "--headless", "--disable-gpu", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--hide-scrollbars",
    "--allow-file-access-from-files", "--remote-debugging-pipe",
)  # fmt: skip


def executable() -> str | None:
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Tab:
    """One page, what it asked for and what it complained of; `open` waits for its load event and for MathJax,
    if the page has it."""

    def __init__(self, process: subprocess.Popen[bytes], to_browser: int, from_browser: int) -> None:
        self.process, self.to, self.source = process, to_browser, from_browser
        self.buffer, self.counter, self.session, self.events = b"", 0, "", []
        self.requests: list[str] = []
        self.complaints: list[str] = []

    def _fresh(self) -> None:
        """A new, empty page: nothing of an earlier visit can leak into the next."""
        self.session = ""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        self.counter += 1
        message: dict[str, Any] = {"id": self.counter, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._read()
            if answer.get("id") == self.counter:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                result: dict[str, Any] = answer.get("result", {})
                return result
            self._note(answer)

    def open(self, url: str, width: int = 1200, height: int = 1600) -> None:
        self._fresh()
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self.call("Emulation.setDeviceMetricsOverride", **size)
        for seen in (self.events, self.requests, self.complaints):
            seen.clear()
        self.call("Page.navigate", url=url)
        while "Page.loadEventFired" not in self.events:
            self._note(self._read())
        self.run("window.MathJax?.startup?.promise?.then(() => true) ?? true")

    def run(self, expression: str) -> Any:
        """The value of a JavaScript expression; promises are awaited."""
        found = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in found:
            raise RuntimeError(f"{expression}: {found['exceptionDetails']}")
        return found["result"].get("value")

    def _read(self) -> dict[str, Any]:
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.source], [], [], PATIENCE)
            if not ready:
                raise TimeoutError("the browser does not answer")
            chunk = os.read(self.source, 1 << 16)
            if not chunk:
                raise RuntimeError("the browser has ended")
            self.buffer += chunk
        text, self.buffer = self.buffer.split(b"\0", 1)
        message: dict[str, Any] = json.loads(text)
        return message

    def _note(self, message: dict[str, Any]) -> None:
        method, params = message.get("method", ""), message.get("params", {})
        self.events.append(method)
        if method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        elif method == "Runtime.exceptionThrown":
            self.complaints.append(str(params["exceptionDetails"].get("exception", {}).get("description")))
        elif method == "Runtime.consoleAPICalled" and params["type"] == "error":
            self.complaints.append(str([a.get("value") for a in params["args"]]))
        elif method == "Log.entryAdded" and params["entry"]["level"] == "error":
            self.complaints.append(f"{params['entry']['text']} {params['entry'].get('url', '')}")


@contextlib.contextmanager
def browser() -> Iterator[Tab]:
    """A browser with one tab, gone with its profile when the block ends."""
    program = executable()
    if program is None:
        raise RuntimeError("no Chromium found")
    down_read, down_write = os.pipe()
    up_read, up_write = os.pipe()
    # The browser wants exactly descriptors 3 and 4; a shell puts them there. Root may not use the sandbox.
    sandbox = ("--no-sandbox",) if os.geteuid() == 0 else ()
    script = f'exec "$0" "$@" 3<&{down_read} 4>&{up_write}'
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        process = subprocess.Popen(
            ["bash", "-c", script, program, *FLAGS, *sandbox, f"--user-data-dir={profile}"],
            pass_fds=(down_read, up_write), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(down_read)
        os.close(up_write)
        try:
            yield Tab(process, down_write, up_read)
        finally:
            process.terminate()
            process.wait(timeout=20)
            os.close(down_write)
            os.close(up_read)

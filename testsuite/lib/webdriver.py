# SPDX-License-Identifier: GPL-2.0-or-later
"""A headless Chromium, driven through chromedriver (package chromium-driver) by HTTP.

https://www.w3.org/TR/webdriver/, and Chromium's own DevTools protocol for what that has not:
a size of the window below 500 pixels, light and dark.
"""

import base64
import json
import re
import shutil
import subprocess
import urllib.error
import urllib.request

KEYS = {"Enter": "\ue007", "Escape": "\ue00c", "Tab": "\ue004", "Down": "\ue015", "Up": "\ue013",
        "Right": "\ue014", "Left": "\ue012", "End": "\ue010", "Home": "\ue011", "Backspace": "\ue003"}


def missing():
    """What is missing to run a browser; None: nothing."""
    for name in "chromedriver", "chromium":
        if not shutil.which(name):
            return f"no {name}: apt-get install chromium chromium-driver"
    return None


class Browser:
    def __init__(self):
        self.session = None
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL, text=True)
        for line in self.driver.stdout:
            port = re.search(r"successfully on port (\d+)", line)
            if port:
                break
        self.url = f"http://127.0.0.1:{port[1]}"
        answer = self._send("POST", "/session", {"capabilities": {"alwaysMatch": {
            "browserName": "chrome",
            "goog:loggingPrefs": {"browser": "ALL"},
            "goog:chromeOptions": {"args": ["--headless=new", "--no-sandbox", "--disable-gpu",
                                            "--window-size=1280,800", "--lang=en-US"]}}}})
        self.session = answer["sessionId"]

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        try:
            self._send("DELETE", f"/session/{self.session}")
        finally:
            self.driver.terminate()
            self.driver.wait()

    def _send(self, method, path, body=None):
        request = urllib.request.Request(self.url + path, method=method,
                                         data=None if body is None else json.dumps(body).encode())
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]["message"]) from None

    def _post(self, path, body):
        return self._send("POST", f"/session/{self.session}{path}", body)

    def open(self, path):
        self._post("/url", {"url": "file://" + path})

    def run(self, script, *arguments):
        """The script's value; it has the arguments as arguments[0]..."""
        return self._post("/execute/sync", {"script": script, "args": list(arguments)})

    def wait(self, script, *arguments):
        """Until the script's value is true: ten seconds at most."""
        return self._post("/execute/async", {"script": """
            const test = () => { %s }, done = arguments[arguments.length - 1], end = Date.now() + 10000;
            (function again() {
                const value = test.apply(null, arguments);
                if (value || Date.now() > end) done(value); else setTimeout(again, 10);
            })();""" % script, "args": list(arguments)})

    def press(self, *keys):
        """Presses keys one after the other, by name or as text."""
        actions = [{"type": kind, "value": key} for name in keys
                   for key in ([KEYS[name]] if name in KEYS else name) for kind in ("keyDown", "keyUp")]
        self._post("/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def click(self, selector):
        found = self._post("/element", {"using": "css selector", "value": selector})
        self._post(f"/element/{next(iter(found.values()))}/click", {})

    def devtools(self, command, **parameters):
        return self._post("/goog/cdp/execute", {"cmd": command, "params": parameters})

    def size(self, width, height):
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height,
                      deviceScaleFactor=1, mobile=False)

    def scheme(self, scheme):
        """What the system prefers: light or dark."""
        self.devtools("Emulation.setEmulatedMedia",
                      features=[{"name": "prefers-color-scheme", "value": scheme}])

    def screenshot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self._send("GET", f"/session/{self.session}/screenshot")))

    def log(self):
        """What the console has got since the last time."""
        return [entry["message"] for entry in self._post("/se/log", {"type": "browser"})]

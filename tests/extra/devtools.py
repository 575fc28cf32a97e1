"""A headless Chromium that is driven by DevTools' protocol through a pipe: no server, no package.

The browser has no network: names do not resolve, and every page is offline. Whatever it asks for besides the page itself, says on
its console, throws, or reports against the page's policy is kept in Page.events.
"""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chromium-headless-shell", "chrome-headless-shell"]
POLICY = """document.addEventListener('securitypolicyviolation', e => console.error('CSP ' + e.violatedDirective + ' ' + e.blockedURI));
addEventListener('error', e => console.error('error ' + e.message));"""


def find_browser():
    for name in [os.environ.get("CHROMIUM", "")] + NAMES:
        path = name and shutil.which(name)
        if path:
            return path
    return None


class Browser:
    def __init__(self, path):
        self.folder = tempfile.mkdtemp(prefix="stepstat-pages-")
        to_read, self.to = os.pipe()
        self.back, from_write = os.pipe()

        def pipes():
            # Above 4 first, as either may be one of the two.
            a, b = os.dup(to_read), os.dup(from_write)
            a, b = [os.dup(x) if x < 5 else x for x in (a, b)]
            os.dup2(a, 3)
            os.dup2(b, 4)
        self.process = subprocess.Popen(
            [path, "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-extensions",
             "--disable-background-networking", "--disable-component-update", "--disable-default-apps", "--disable-sync",
             "--host-resolver-rules=MAP * ~NOTFOUND", "--hide-scrollbars", "--force-color-profile=srgb", "--disable-dev-shm-usage",
             "--user-data-dir=" + self.folder, "about:blank"],
            preexec_fn=pipes, close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(from_write)
        self.number, self.buffer, self.pages = 0, b"", {}

    def read(self, seconds):
        """One message, or None when none comes in time."""
        end = time.monotonic() + seconds
        while b"\0" not in self.buffer:
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.back], [], [], left)[0]:
                return None
            data = os.read(self.back, 1 << 20)
            if not data:
                raise RuntimeError("the browser ended")
            self.buffer += data
        message, self.buffer = self.buffer.split(b"\0", 1)
        message = json.loads(message)
        if "method" in message and message.get("sessionId") in self.pages:
            self.pages[message["sessionId"]].heard(message["method"], message["params"])
        return message

    def call(self, method, session=None, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.to, data):]
        end = time.monotonic() + 60
        while time.monotonic() < end:
            answer = self.read(60)
            if answer and answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError("%s: %s" % (method, answer["error"]["message"]))
                return answer["result"]
        raise RuntimeError("%s: no answer" % method)

    def open(self, url, **how):
        return Page(self, url, **how)

    def close(self):
        try:
            self.call("Browser.close")
        except (RuntimeError, OSError):
            pass
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.to)
        os.close(self.back)
        shutil.rmtree(self.folder, ignore_errors=True)


class Page:
    """A tab: width and height in CSS pixels; media: {"prefers-color-scheme": "dark"}; script=False: as with script switched off."""

    def __init__(self, browser, url, width=1280, height=900, media=None, script=True):
        self.browser, self.events, self.loaded = browser, [], False
        self.url = url.split("#")[0]
        target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.target = target
        self.session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        browser.pages[self.session] = self
        for domain in ("Page", "Runtime", "Log", "Network", "DOM"):
            self.call(domain + ".enable")
        self.call("Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=0, uploadThroughput=0)
        self.call("Page.addScriptToEvaluateOnNewDocument", source=POLICY)
        self.call("Emulation.setScriptExecutionDisabled", value=not script)
        self.media(**(media or {}))
        self.size(width, height)
        self.call("Page.navigate", url=url)
        end = time.monotonic() + 60
        while not self.loaded and time.monotonic() < end:
            browser.read(1)
        if script:
            self.frame()

    def call(self, method, **params):
        return self.browser.call(method, self.session, **params)

    def heard(self, method, params):
        if method == "Page.loadEventFired":
            self.loaded = True
        elif method == "Network.requestWillBeSent":
            url = params["request"]["url"]
            if url.split("#")[0] != self.url and not url.startswith(("data:", "blob:")):  # these ask nobody
                self.events.append("request " + url[:200])
        elif method == "Runtime.consoleAPICalled":
            self.events.append("console " + " ".join(str(x.get("value", x.get("description"))) for x in params["args"]))
        elif method == "Runtime.exceptionThrown":
            detail = params["exceptionDetails"]
            self.events.append("exception " + detail.get("exception", {}).get("description", detail["text"]))
        elif method == "Log.entryAdded":
            self.events.append("log " + params["entry"]["text"])

    def size(self, width, height=900):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def media(self, kind="", **features):
        # Else a page scrolls for some time, and what is measured moves.
        features.setdefault("prefers_reduced_motion", "reduce")
        self.call("Emulation.setEmulatedMedia", media=kind, features=[{"name": k.replace("_", "-"), "value": v} for k, v in features.items()])

    def frame(self):
        """After the next two frames: what waits for a frame is drawn."""
        self.js("new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))")

    def js(self, source):
        """The value of an expression; a promise is awaited."""
        answer = self.call("Runtime.evaluate", expression=source, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError("%s: %s" % (source[:80], answer["exceptionDetails"].get("exception", {}).get("description", "?")))
        return answer["result"].get("value")

    def place(self, selector, at=(0.5, 0.5)):
        """The point of an element (fractions of its box), scrolled into view."""
        box = self.js("(() => { const e = document.querySelector(%s); if (!e) return null; e.scrollIntoView({block: 'center', behavior: 'instant'});"
                      "const r = e.getBoundingClientRect(); return [r.left, r.top, r.width, r.height]; })()" % json.dumps(selector))
        if not box:
            raise RuntimeError("no element " + selector)
        # A page that scrolls smoothly is waited for.
        before = None
        while box != before:
            before = box
            self.frame()
            box = self.js("(() => { const r = document.querySelector(%s).getBoundingClientRect(); return [r.left, r.top, r.width, r.height]; })()"
                          % json.dumps(selector))
        return box[0] + box[2] * at[0], box[1] + box[3] * at[1]

    def mouse(self, kind, x, y):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="none" if kind == "mouseMoved" else "left", clickCount=0 if kind == "mouseMoved" else 1)

    def hover(self, selector, at=(0.5, 0.5)):
        # Twice: a move to where the mouse is already is none.
        x, y = self.place(selector, at)
        self.mouse("mouseMoved", x + 1, y + 1)
        self.mouse("mouseMoved", x, y)
        self.frame()

    def click(self, selector, at=(0.5, 0.5)):
        x, y = self.place(selector, at)
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            self.mouse(kind, x, y)
        self.frame()

    def key(self, *keys):
        codes = {"Enter": 13, "Escape": 27, "Tab": 9, " ": 32, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Backspace": 8}
        for key in keys:
            shift, name = key.startswith("Shift+"), key.replace("Shift+", "")
            text = {"Enter": "\r"}.get(name, name if len(name) == 1 else "")
            how = {"key": name, "code": name, "windowsVirtualKeyCode": codes.get(name, ord(name[0].upper())), "modifiers": 8 if shift else 0}
            self.call("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", **how, **({"text": text} if text else {}))
            self.call("Input.dispatchKeyEvent", type="keyUp", **how)
        self.frame()

    def type(self, text):
        self.call("Input.insertText", text=text)
        time.sleep(0.15)
        self.frame()

    def picture(self, path, whole=True):
        clip = {}
        if whole:
            size = self.call("Page.getLayoutMetrics")["cssContentSize"]
            clip = {"clip": {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], 8000), "scale": 1}, "captureBeyondViewport": True}
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("Page.captureScreenshot", format="png", **clip)["data"]))

    def pdf(self, path):
        data = base64.b64decode(self.call("Page.printToPDF", printBackground=True, preferCSSPageSize=True)["data"])
        with open(path, "wb") as file:
            file.write(data)
        return data

    def close(self):
        self.browser.pages.pop(self.session, None)
        self.browser.call("Target.closeTarget", targetId=self.target)

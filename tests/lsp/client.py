"""A client of the Language Server Protocol with nothing but Python: what it sends may be as wrong as a test wants."""

import json
import os
import subprocess
import threading
from pathlib import Path

WAIT_S = 60     # for what comes at once; longer means that it does not come


class Client:
    """A running upc-language-server."""

    def __init__(self, server, folder, **environment):
        self.folder = Path(folder)
        self.process = subprocess.Popen([str(server)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        env={**os.environ, **environment})
        self.next_id = 1
        self.messages = []
        self.arrived = threading.Condition()
        self.is_open = True
        threading.Thread(target=self.read, daemon=True).start()

    # ---- Frames ----

    def read(self):
        stream = self.process.stdout
        while True:
            length = None
            while True:
                line = stream.readline()
                if line in (b"\r\n", b""):
                    break
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            if length is None:
                break
            message = json.loads(stream.read(length))
            with self.arrived:
                self.messages.append(message)
                self.arrived.notify_all()
        with self.arrived:
            self.is_open = False
            self.arrived.notify_all()

    def send_bytes(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.send_bytes(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def take(self, wanted):
        """The first message that fits, which leaves the list; AssertionError if none comes."""
        with self.arrived:
            def found():
                return next((message for message in self.messages if wanted(message)), None)
            self.arrived.wait_for(lambda: found() is not None or not self.is_open, WAIT_S)
            message = found()
            assert message is not None, f"no such message; there are {self.messages}, open: {self.is_open}"
            self.messages.remove(message)
            return message

    # ---- The protocol ----

    def notify(self, method, **params):
        self.send({"method": method, "params": params})

    def begin(self, method, **params):
        """Sends a request; its number."""
        self.next_id += 1
        self.send({"id": self.next_id, "method": method, "params": params})
        return self.next_id

    def answer(self, number):
        return self.take(lambda message: message.get("id") == number and "method" not in message)

    def request(self, method, **params):
        """The result of a request that succeeds"""
        message = self.answer(self.begin(method, **params))
        assert "error" not in message, message
        return message["result"]

    def refusal(self, method, **params):
        """The code of the error of one that does not"""
        return self.answer(self.begin(method, **params))["error"]["code"]

    def initialize(self, encodings=("utf-16",), **options):
        capabilities = {"general": {"positionEncodings": list(encodings)}}
        result = self.request("initialize", processId=os.getpid(), rootUri=self.folder.as_uri(),
                              capabilities=capabilities, initializationOptions=options)
        self.notify("initialized")
        return result

    def uri(self, name):
        return (self.folder / name).as_uri()

    def open(self, name, text, version=1):
        self.notify("textDocument/didOpen", textDocument={"uri": self.uri(name), "languageId": "upc",
                                                          "version": version, "text": text})

    def change(self, name, version, *changes):
        """Each change is a text, or (first line, first column, last line, last column, text)."""
        entries = []
        for change in changes:
            if isinstance(change, str):
                entries.append({"text": change})
            else:
                start, end = ({"line": change[i], "character": change[i + 1]} for i in (0, 2))
                entries.append({"range": {"start": start, "end": end}, "text": change[4]})
        self.notify("textDocument/didChange", textDocument={"uri": self.uri(name), "version": version},
                    contentChanges=entries)

    def at(self, method, name, line, column, **more):
        """The result of a request about a place"""
        return self.request("textDocument/" + method, textDocument={"uri": self.uri(name)},
                            position={"line": line, "character": column}, **more)

    def hover(self, name, line, column):
        result = self.at("hover", name, line, column)
        return result["contents"]["value"] if result else ""

    def diagnostics(self, name, until=lambda found: True):
        """Those of the first publication that fits"""
        uri = self.uri(name)
        message = self.take(lambda m: m.get("method") == "textDocument/publishDiagnostics" and
                            m["params"]["uri"] == uri and until(m["params"]["diagnostics"]))
        return message["params"]["diagnostics"]

    def close(self):
        """Ends the server; its exit status"""
        if self.process.poll() is None and self.is_open:
            try:
                self.request("shutdown")
                self.notify("exit")
            except (AssertionError, BrokenPipeError):
                pass
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        status = self.process.wait(WAIT_S)
        self.process.stdout.close()
        return status

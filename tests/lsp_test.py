#!/usr/bin/env python3
"""`lac lsp` as an editor meets it.

usage: lsp_test.py LAC
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

LAC = ""

PROGRAM = """\
% Scales things.
param A(n, n) sparse symmetric   % the matrix
param s = 2                      % a factor
y = s * (A * ones(n, 1));
z = twice(y') + trapz(y);
half = beside(z);
for k = 1 : n
  z += k;
end
f = @(v) v + s;
printf("é😀 %g\\n", sum(f(z)));
output y

% Two times its argument.
function r = twice(q)
  t = q;
  r = 2 * t;
end
"""


def framed(message):
    content = message if isinstance(message, bytes) else json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(content), content)


class Client:
    """A session with the server; `close` gives its exit status."""

    def __init__(self, folder, *words, cwd=None):
        self.process = subprocess.Popen([LAC, "lsp", *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=cwd,
                                        env={**os.environ, "LAC_CACHE_DIR": str(folder / "cache")})
        self.folder, self.count, self.published = folder, 0, {}

    def write(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def read(self):
        length = None
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise EOFError("the server is gone")
            if line == b"\r\n":
                return json.loads(self.process.stdout.read(length))
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])

    def notify(self, method, **params):
        self.write(framed({"jsonrpc": "2.0", "method": method, "params": params}))

    def ask(self, method, **params):
        """The whole answer; what is published meanwhile is kept."""
        self.count += 1
        self.write(framed({"jsonrpc": "2.0", "id": self.count, "method": method, "params": params}))
        return self.wait_for(self.count)

    def wait_for(self, number):
        while True:
            message = self.read()
            if message.get("method") == "textDocument/publishDiagnostics":
                self.published[message["params"]["uri"]] = message["params"]["diagnostics"]
            elif message.get("id") == number:
                return message

    def diagnostics(self, uri):
        while uri not in self.published:
            message = self.read()
            if message.get("method") == "textDocument/publishDiagnostics":
                self.published[message["params"]["uri"]] = message["params"]["diagnostics"]
        return self.published.pop(uri)

    def open(self, name, text):
        uri = (self.folder / name).as_uri()
        self.notify("textDocument/didOpen", textDocument={"uri": uri, "languageId": "la", "version": 1, "text": text})
        return uri

    def change(self, uri, text):
        self.notify("textDocument/didChange", textDocument={"uri": uri, "version": 2}, contentChanges=[{"text": text}])

    def close(self):
        if self.process.poll() is None:
            self.ask("shutdown")
            self.notify("exit")
        self.process.stdin.close()
        status = self.process.wait(timeout=30)
        self.process.stdout.close()
        return status


def place(text, word, nth=1, shift=0):
    """The position of the nth occurrence of a word, in UTF-16."""
    at = -1
    for _ in range(nth):
        at = text.index(word, at + 1)
    line = text[:at].count("\n")
    before = text[:at].rsplit("\n", 1)[-1]
    return {"line": line, "character": len(before.encode("utf-16-le")) // 2 + shift}


class Server(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = Path(self.temporary.name)
        (self.folder / "beside.la").write_text("% r = beside(x)    half of x\nfunction r = beside(x)\n  r = x / 2;\nend\n")
        self.client = Client(self.folder)
        self.start = self.client.ask("initialize", processId=None, rootUri=None, capabilities={})
        self.client.notify("initialized")

    def tearDown(self):
        self.client.close()
        self.temporary.cleanup()

    def at(self, method, uri, text, word, nth=1, shift=0):
        answer = self.client.ask("textDocument/" + method, textDocument={"uri": uri},
                                 position=place(text, word, nth, shift))
        return answer["result"]

    def errors(self, uri):
        return [each["message"] for each in self.client.diagnostics(uri) if each["severity"] == 1]

    def test_what_a_text_reads_is_not_opened(self):
        os.mkfifo(self.folder / "pipe.mtx")  # whoever opens it waits for a writer
        for text in ('A = read("pipe.mtx");\nB = A + ;\n', 'param A(n, n) = read("pipe.mtx")\nB = A + ;\n',
                     'A = read("pipe.mtx");\nB = A + A;\nC = sum(B(:)) + missing;\n'):
            text = text.replace("pipe.mtx", str(self.folder / "pipe.mtx"))
            uri = self.client.open("t.la", text)
            self.assertEqual(len(self.errors(uri)), 1, text)
        uri = self.client.open("u.la", f'A = read("{self.folder / "pipe.mtx"}");\nB = A + A;\n')
        self.assertEqual(self.errors(uri), [])

    def test_a_text_without_a_file_has_no_folder(self):
        (self.folder / "median.la").write_text("function m = median(x)\n  m = ones(2, 2);\nend\n")
        client = Client(self.folder, cwd=self.folder)
        client.ask("initialize", processId=None, rootUri=None, capabilities={})
        client.notify("initialized")
        uri = "untitled:Untitled-1"
        text = "m = median([1 2 3]);\nx = zeros(3, 1);\nx(m) = 1;\nb = beside(1);\n"
        client.notify("textDocument/didOpen",
                      textDocument={"uri": uri, "languageId": "la", "version": 1, "text": text})
        messages = [each["message"] for each in client.diagnostics(uri) if each["severity"] == 1]
        self.assertEqual(len(messages), 1, messages)
        self.assertIn("'beside' undefined", messages[0])
        client.close()

    def test_initialize_and_exit(self):
        known = self.start["result"]["capabilities"]
        self.assertEqual(known["textDocumentSync"], {"openClose": True, "change": 1})
        for name in ("hover", "definition", "documentSymbol", "documentFormatting", "completion"):
            self.assertTrue(known[name + "Provider"] in (True, {}), name)
        self.assertEqual(self.client.close(), 0)

    def test_exit_without_shutdown(self):
        self.client.notify("exit")
        self.assertEqual(self.client.process.wait(timeout=30), 1)

    def test_diagnostics_follow_the_text(self):
        client = self.client
        uri = client.open("p.la", PROGRAM)
        found = [(each["severity"], each["message"]) for each in client.diagnostics(uri)]
        self.assertIn((2, "'half' is assigned, but never used"), found)
        client.change(uri, PROGRAM.replace("A * ones(n, 1)", "A * ones(n, 2) * ones(3, 1)"))
        error = [each for each in client.diagnostics(uri) if each["severity"] == 1][0]
        self.assertEqual((error["severity"], error["source"]), (1, "lac"))
        self.assertIn("nonconformant", error["message"])
        self.assertEqual(error["range"]["start"]["line"], 3)
        client.change(uri, "x = (1;\ny = 2 +;\n")
        self.assertEqual([each["severity"] for each in client.diagnostics(uri)], [1, 1])
        client.change(uri, "x = 1\n")
        self.assertEqual(client.diagnostics(uri), [])
        client.change(uri, 's = "é😀"; x = nosuch(1)\n')
        error = client.diagnostics(uri)[-1]
        self.assertEqual(error["range"], {"start": {"line": 0, "character": 15}, "end": {"line": 0, "character": 21}})
        client.notify("textDocument/didClose", textDocument={"uri": uri})
        self.assertEqual(client.diagnostics(uri), [])

    def test_an_error_in_another_file_is_shown_at_the_call(self):
        client = self.client
        uri = client.open("p.la", "x = beside([1 2; 3 4]);\ny = trapz(1, 2, 3, 4);\nbeside(beside(x))\n")
        messages = [each["message"] for each in client.diagnostics(uri)]
        self.assertTrue(any("too many inputs" in message for message in messages), messages)
        other = client.open("beside.la", "function r = beside(x)\n  r = x * ones(3, 3);\nend\n")
        client.diagnostics(other)
        error = [each for each in client.diagnostics(uri) if "beside.la:2: " in each["message"]][0]
        self.assertIn("nonconformant", error["message"])
        self.assertEqual(error["range"]["start"]["line"], 0)

    def test_hover(self):
        uri = self.client.open("p.la", PROGRAM)

        def hover(word, nth=1):
            found = self.at("hover", uri, PROGRAM, word, nth)
            return found and found["contents"]["value"]
        self.assertIn("A: real csr matrix n x n, symmetric", hover("A"))
        self.assertIn("y: real matrix n x 1", hover("y ="))
        self.assertIn("s: integer scalar", hover("s *"))
        self.assertIn("k: integer scalar", hover("k;"))
        self.assertIn("first set in line 7", hover("k;"))
        self.assertIn("z: real matrix 1 x n", hover("z +="))
        self.assertIn("half: real matrix 1 x n", hover("half"))
        self.assertIn("f: function", hover("f = @"))
        self.assertIn("q: real matrix 1 x n    % in twice(1 x n)", hover("q;"))
        self.assertIn("trapz(x, y, dim)", hover("trapz"))
        self.assertIn("r = beside(x)    half of x", hover("beside"))
        self.assertIn("s = sum(x), sum(x, dim)", hover("sum"))
        self.assertIn("function r = twice(q)\nTwo times its argument.", hover("twice"))
        self.assertIsNone(hover("= s"))
        broken = PROGRAM.replace("half = beside(z);", "half = beside(z")
        self.client.change(uri, broken)
        self.assertIn("y: real matrix n x 1", self.at("hover", uri, broken, "y =")["contents"]["value"])

    def test_definition(self):
        uri = self.client.open("p.la", PROGRAM)

        def definition(word, nth=1):
            found = self.at("definition", uri, PROGRAM, word, nth)
            return found and (found["uri"], found["range"]["start"]["line"], found["range"]["start"]["character"])
        self.assertEqual(definition("y')"), (uri, 3, 0))
        self.assertEqual(definition("n, 1"), (uri, 1, 8))
        self.assertEqual(definition("A *"), (uri, 1, 6))
        self.assertEqual(definition("s;"), (uri, 2, 6))
        self.assertEqual(definition("v +"), (uri, 9, 6))
        self.assertEqual(definition("q;"), (uri, 14, 19))
        self.assertEqual(definition("t;"), (uri, 15, 2))
        self.assertEqual(definition("twice"), (uri, 14, 13))
        self.assertEqual(definition("beside"), ((self.folder / "beside.la").as_uri(), 1, 13))
        library, line, _ = definition("trapz")
        text = Path(library.removeprefix("file://")).read_text().split("\n")
        self.assertTrue(text[line].startswith("function z = trapz"))
        self.assertIsNone(definition("ones"))

    def test_files_that_are_open_but_not_saved_stay_in_the_editor(self):
        self.client.open("unsaved.la", "function r = unsaved(x)\n  r = x;\nend\n")
        text = "y = unsaved(2)\n"
        found = self.at("definition", self.client.open("user.la", text), text, "unsaved")
        self.assertEqual(found["uri"], (self.folder / "unsaved.la").as_uri())
        self.assertFalse((self.folder / "unsaved.la").exists())

    def test_symbols(self):
        uri = self.client.open("p.la", PROGRAM)
        found = self.client.ask("textDocument/documentSymbol", textDocument={"uri": uri})["result"]
        names = [each["name"] for each in found]
        self.assertEqual(names[:2], ["A", "s"])
        self.assertEqual(names[-1], "twice")
        for name in ("y", "z", "half", "k", "f"):
            self.assertIn(name, names)
        self.assertEqual([each["name"] for each in found[-1]["children"]], ["r", "t"])
        self.assertEqual(found[-1]["range"]["start"], {"line": 14, "character": 0})

    def test_completion(self):
        uri = self.client.open("p.la", PROGRAM)

        def labels(text, word):
            self.client.change(uri, text)
            items = self.at("completion", uri, text, word + "\noutput", 1, len(word))["items"]
            return {each["label"]: (each["kind"], each.get("detail", "")) for each in items}
        text = PROGRAM.replace("output y", "tr\noutput y")
        found = labels(text, "tr")
        self.assertEqual(set(found), {"trace", "transpose", "trapz", "tril", "triplequad", "triu", "true", "try_solve"})
        self.assertEqual(found["trace"], (3, "t = trace(A)"))
        text = PROGRAM.replace("output y", "g = (hal\noutput y")  # it does not parse
        self.assertEqual(labels(text, "(hal"), {"half": (6, "1 x n")})
        text = PROGRAM.replace("output y", "tw\noutput y")
        self.assertEqual(labels(text, "tw"), {"twice": (3, "function r = twice(q)")})
        text = PROGRAM.replace("output y", "whil\noutput y")
        self.assertEqual(labels(text, "whil"), {"while": (14, "")})

    def test_formatting(self):
        uri = self.client.open("p.la", "x=1;é\n")
        options = {"tabSize": 4, "insertSpaces": True}
        ask = lambda: self.client.ask("textDocument/formatting", textDocument={"uri": uri}, options=options)["result"]
        self.assertIsNone(ask())
        self.client.change(uri, "x=1;\nif x,y=2,end")
        self.assertEqual(ask(), [{"range": {"start": {"line": 0, "character": 0}, "end": {"line": 1, "character": 12}},
                                  "newText": "x = 1;\nif x, y = 2, end\n"}])
        self.client.change(uri, "x = 1;\n")
        self.assertEqual(ask(), [])

    def test_what_is_wrong_is_answered(self):
        client = self.client
        uri = client.open("p.la", "x = 1\n")
        self.assertEqual(client.ask("textDocument/rename", textDocument={"uri": uri})["error"]["code"], -32601)
        self.assertEqual(client.ask("textDocument/hover")["error"]["code"], -32602)
        self.assertEqual(client.ask("textDocument/hover", textDocument={"uri": "file:///no"})["error"]["code"], -32602)
        far = client.ask("textDocument/hover", textDocument={"uri": uri}, position={"line": 99, "character": 99})
        self.assertIsNone(far["result"])
        negative = client.ask("textDocument/hover", textDocument={"uri": uri}, position={"line": -1, "character": -7})
        self.assertIn("x: integer", negative["result"]["contents"]["value"])
        client.write(framed(b"{not json"))
        self.assertEqual(client.wait_for(None)["error"]["code"], -32700)
        client.write(framed(b'{"method": "x", "id": ' + b"[" * 300000 + b"]" * 300000 + b"}"))
        self.assertIsNone(client.wait_for(None)["id"])
        client.write(framed(b"[1, 2]"))
        self.assertEqual(client.wait_for(None)["error"]["code"], -32600)
        client.write(b"\xff\x00garbage\r\n\r\nContent-Length: x\r\n\r\nContent-Length: 999999999999999\r\n\r\n")
        client.write(framed({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 1}}))
        client.write(framed({"jsonrpc": "2.0", "id": 7, "result": None}))
        client.change(uri, "\x00\ud83d" .encode("utf-16", "surrogatepass").decode("utf-16", "replace") + "%{\n x = '")
        client.diagnostics(uri)
        client.ask("shutdown")
        self.assertEqual(client.ask("textDocument/hover", textDocument={"uri": uri})["error"]["code"], -32600)
        client.notify("exit")
        self.assertEqual(client.process.wait(timeout=30), 0)

    def test_edits_that_queue_up_are_analysed_once(self):
        uri = self.client.open("p.la", "x = 1\n")
        self.client.diagnostics(uri)
        changes = [framed({"jsonrpc": "2.0", "method": "textDocument/didChange", "params": {
            "textDocument": {"uri": uri, "version": 3 + i},
            "contentChanges": [{"text": "x = 1;\n" * 10000 + f"nosuch{i}(3)\n"}]}}) for i in range(12)]
        self.client.write(b"".join(changes))
        said = []
        while not said or "nosuch11" not in said[-1]:
            message = self.client.read()
            if message.get("method") == "textDocument/publishDiagnostics":
                said.append(json.dumps(message["params"]["diagnostics"]))
        self.assertLess(len(said), 6)

    def test_bytes_may_come_one_by_one(self):
        data = framed({"jsonrpc": "2.0", "id": "a", "method": "textDocument/hover", "params": {}})
        for i in range(len(data)):
            self.client.write(data[i:i + 1])
        self.assertEqual(self.client.wait_for("a")["error"]["code"], -32602)


class Start(unittest.TestCase):
    def test_initialize_comes_first_and_the_end_of_input_ends_it(self):
        with tempfile.TemporaryDirectory() as name:
            client = Client(Path(name), "--stdio")
            self.assertEqual(client.ask("shutdown")["error"]["code"], -32002)
            client.process.stdin.close()
            self.assertEqual(client.process.wait(timeout=30), 1)
            client.process.stdout.close()


if __name__ == "__main__":
    LAC = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=1)

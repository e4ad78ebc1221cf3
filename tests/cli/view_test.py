#!/usr/bin/env python3
"""`stickslip view`: the page it writes, its errors, and the server of --serve, without a browser (tests/view has one).

    view_test.py PROGRAM SOURCE_DIR
"""

import base64
import http.client
import json
import math
import re
import shutil
import signal
import struct
import sys
import time
import zlib

sys.dont_write_bytecode = True
import cli_support as support
import synthetic_run
from cli_support import shown


def page(t):
    t.write("slide.yaml", support.SLIDE)
    t.run("run", "slide.yaml", "-o", "slide", "--quiet")
    result = t.run("view", "slide")
    t.check(
        "view writes the page into the folder and says so",
        result.returncode == 0
        and re.fullmatch(r"slide/view\.html: \d+ frames, [\d.]+ MB, positions to \S+ m\n", result.stdout)
        and result.stderr == "",
        shown(result),
    )
    text = (t.folder / "slide/view.html").read_text()
    t.check("the page is whole and holds the run", text.startswith("<!doctype html>") and text.rstrip().endswith("</html>"), text[-80:])
    head = json.loads(re.search(r'id="replay">(.*?)</script>', text, re.S).group(1))
    t.equal("its bodies", [(b["name"], b["kind"], b["coding"]) for b in head["bodies"]], [("floor", "obstacle", "posed"), ("cube", "deformable", "points")])
    t.check("it asks nothing from the network", not re.search(r'(src|href)="https?:', text), "")
    result = t.run("view", "slide", "-o", "elsewhere.html")
    t.check("-o writes elsewhere", result.returncode == 0 and (t.folder / "elsewhere.html").read_text() == text, shown(result))
    t.run("run", "slide.yaml", "-o", "other", "--set", "bodies.cube.name=brick", "--set", "title=Other", "--quiet")
    result = t.run("view", "slide", "--compare", "other")
    t.check("--compare names the bodies without partner", result.returncode == 0 and result.stderr == "stickslip: warning: only in slide: cube; there is nothing to compare with\n"
            "stickslip: warning: only in other: brick; there is nothing to compare with\n", shown(result))
    result = t.run("view", "slide", "--compare", "slide")
    t.check("... and is quiet where each has one", result.returncode == 0 and result.stderr == "", shown(result))
    result = t.run("run", "slide.yaml", "-o", "slide", "--force", "--quiet")
    t.check("a run that replaces another takes its page away", result.returncode == 0 and not (t.folder / "slide/view.html").exists(), shown(result))


def errors(t):
    (t.folder / "empty").mkdir()
    t.write("file.txt", "text")
    for what, folder in [("a missing folder", "missing"), ("an empty folder", "empty"), ("a file", "file.txt")]:
        for extra in ([], ["--serve", "0"]):
            result = t.run("view", folder, *extra)
            t.check(
                f"view of {what} {' '.join(extra)}: exit status 4, one line that names it",
                result.returncode == 4 and folder in result.stderr and len(result.stderr.splitlines()) == 1,
                shown(result),
            )
    result = t.run("view", "slide", "-o", "missing/page.html")
    t.check("a page that cannot be written: exit status 4", result.returncode == 4, shown(result))
    result = t.run("view", "slide", "-o", "v.png")
    t.equal("a page under the name of a picture: exit status 2", (result.returncode, result.stderr), (2, "stickslip: error: v.png: expected a name that ends in .html or .htm\n"))
    t.check("... and no file", not (t.folder / "v.png").exists())
    for arguments in (["view"], ["view", "slide", "--serve", "70000"], ["view", "slide", "--megabytes", "nan"], ["view", "slide", "--serve", "0", "-o", "x"]):
        result = t.run(*arguments)
        t.check(f"{' '.join(arguments)}: exit status 2", result.returncode == 2 and "stickslip: error:" in result.stderr, shown(result))


def partial_runs(t):
    t.run("run", "slide.yaml", "-o", "part", "--until", 0.3, "--quiet")
    t.check("a run that was stopped has a page", t.run("view", "part").returncode == 0)
    shutil.copytree(t.folder / "slide", t.folder / "damaged")
    (t.folder / "damaged/frames.pvd").write_text("damaged")
    result = t.run("view", "damaged")
    t.check("damaged frames: a page of the plots and a warning", result.returncode == 0 and "frames.pvd" in result.stderr and ": 0 frames" in result.stdout, shown(result))
    shutil.rmtree(t.folder / "damaged/frames")
    shutil.copy(t.folder / "slide/frames.pvd", t.folder / "damaged/frames.pvd")
    result = t.run("view", "damaged")
    t.check("no frame can be read: a page and warnings", result.returncode == 0 and "warning" in result.stderr, shown(result))


class Group:
    """The first sixteen frames of a page, as docs/view.md says that they are packed."""

    def __init__(self, page):
        packed = re.search(r'id="group-0">(.*?)</script>', page.read_text(), re.S).group(1)
        plain = zlib.decompress(base64.b64decode(packed))
        (length,) = struct.unpack_from("<I", plain)
        self.contents, self.bytes = json.loads(plain[4 : 4 + length]), plain[4 + length :]
        self.frames = len(self.contents["times"])

    def stream(self, body, what):
        return next((s for s in self.contents["streams"] if s["body"] == body and s["what"] == what), None)

    def values(self, at, kind, count):
        return list(struct.unpack_from(f"<{count}{kind}", self.bytes, at))

    def points(self, body):
        """Places of each frame."""
        stream = self.stream(body, "points")
        at, before, frames = stream["offset"], [[], []], []
        for entry in stream["frames"]:
            count, q = entry["count"], []
            for axis in range(3):
                low, high = self.values(at, "B", count), self.values(at + count, "B", count)
                at, column = at + 2 * count, []
                for i in range(count):
                    folded = low[i] | high[i] << 8
                    value = (folded >> 1) ^ -(folded & 1)
                    if entry["predict"] == 0:
                        value += column[-1] if i else 0
                    elif entry["predict"] == 1:
                        value += before[0][i][axis]
                    else:
                        value += 2 * before[0][i][axis] - before[1][i][axis]
                    column.append(value & 65535)
                q.append(column)
            q = list(zip(*q))
            frames.append([tuple(m + s * c for m, s, c in zip(entry["min"], entry["step"], p)) for p in q])
            before = [q, before[0]]
        return frames

    def numbers(self, body):
        """Those of the points of each frame: their rows where the page tells none."""
        stream = self.stream(body, "number")
        if not stream:
            return [list(range(entry["count"])) for entry in self.stream(body, "points")["frames"]]
        at, frames = stream["offset"], []
        for count in stream["frames"]:
            if count < 0:
                frames.append(frames[-1])
                continue
            last, now = 0, []
            for difference in self.values(at, "I", count):
                last = (last + difference) & 0xFFFFFFFF
                now.append(last)
            at += 4 * count
            frames.append(now)
        return frames

    def radii(self, body):
        """Of the points of each frame."""
        stream, numbers = self.stream(body, "radius"), self.numbers(body)
        values = [v * stream["max"] / 65535 for v in self.values(stream["offset"], "H", stream["frames"][0])]
        known = sorted({n for now in numbers for n in now}) if self.stream(body, "number") else list(range(len(values)))
        return [[dict(zip(known, values))[n] for n in now] for now in numbers]

    def contacts(self):
        """Place, body and row of the point of each, by frame."""
        stream = self.stream(-1, "contacts")
        count, at = sum(stream["frames"]), stream["offset"]
        x = [[stream["min"][a] + stream["step"][a] * q for q in self.values(at + 2 * a * count, "H", count)] for a in range(3)]
        body = self.values(at + 14 * count, "H", count)
        row = self.values(at + 18 * count, "I", count)
        all_contacts, frames, begin = list(zip(zip(*x), [b - 1 for b in body], [r - 1 for r in row])), [], 0
        for n in stream["frames"]:
            frames.append(all_contacts[begin : begin + n])
            begin += n
        return frames


STREAM = """stickslip: 1
time: {step: auto, end: 0.75, frame: 0.05}
solver: {integration: explicit}
materials: {glass: {density: 2500, kn: 5000, restitution: 0.5}}
bodies:
  - {name: still, kind: spheres, material: glass, position: [2, 0, 0], radius: 0.1, positions: [[0, 0, 0]]}
  - {name: sand, kind: spheres, material: glass, position: [0, 0.5, 0], velocity: [0, -1, 0], inlet: {box: [0.2, 0.1, 0.2], rate: 4, sizes: {min: 0.008, max: 0.015}}}
  - {name: slide, kind: obstacle, shape: {box: [0.4, 0.02, 0.4]}, position: [0, 0.3, 0], rotation: {axis: [0, 0, 1], degrees: -30}}
outlets: [{name: out, box: {min: [-1, -3, -1], max: [1, 0, 1]}}]
output: {contacts: true, history: 0.01}
"""


def passing(t):
    """Spheres that enter and leave are known by their numbers: another one may have their row in the next frame."""
    synthetic_run.write_passing(t.folder / "passing")
    result = t.run("view", "passing")
    group = Group(t.folder / "passing/view.html")
    t.equal("spheres that come and go: the page knows their numbers", (result.returncode, group.numbers(0)), (0, synthetic_run.PRESENT))
    expected = [[synthetic_run.passer(n, f)[1] for n in now] for f, now in enumerate(synthetic_run.PRESENT)]
    t.check("... and the size of each", all(abs(a - b) < 1e-5 for now, then in zip(group.radii(0), expected) for a, b in zip(now, then)), group.radii(0))

    t.write("stream.yaml", STREAM)
    t.run("run", "stream.yaml", "-o", "stream", "--quiet")
    result = t.run("view", "stream")
    group = Group(t.folder / "stream/view.html")
    numbers, places, radii = group.numbers(1), group.points(1), group.radii(1)
    t.check("an inlet of sizes and an outlet: rows move up", result.returncode == 0 and numbers[-1][0] > 5 and len({len(now) for now in numbers}) > 3, numbers[-1])
    sizes = {}
    for now, radius in zip(numbers, radii):
        for n, r in zip(now, radius):
            sizes.setdefault(n, set()).add(r)
    t.check("... each sphere has one size throughout", all(len(values) == 1 for values in sizes.values()) and max(map(max, sizes.values())) < 0.0151, sizes)
    gaps = [abs(math.dist(x, places[f][row]) - radii[f][row]) for f, now in enumerate(group.contacts()) for x, body, row in now if body == 1 and 0 <= row < len(places[f])]
    alone = sum(body == 1 for now in group.contacts() for _, body, _ in now)
    t.check("... contacts are on the spheres that they name", len(gaps) == alone > 20 and max(gaps) < 2e-3, (len(gaps), alone, max(gaps, default=None)))


def get(address, path, method="GET", host=None):
    connection = http.client.HTTPConnection(address, timeout=20)
    connection.request(method, path, headers={"Host": host} if host else {})
    answer = connection.getresponse()
    return answer.status, answer.read()


def server(t):
    process = t.start("view", "slide", "--serve", "0")
    line = process.stdout.readline()
    match = re.match(r"http://(127\.0\.0\.1:\d+)/ ", line)
    try:
        if not t.check("--serve says where", match is not None, line):
            return
        address = match.group(1)
        status, body = get(address, "/")
        t.check("the page is served without data", status == 200 and b'{"live":true}' in body, body[:200])
        status, body = get(address, "/head")
        head = json.loads(body)
        t.check("its table of contents", status == 200 and len(head["times"]) > 5 and head["status"] == "done", body[:200])
        for name in ("meshes", "tables", "group-0"):
            status, body = get(address, "/" + name)
            t.check(f"the chunk {name}", status == 200 and zlib.decompress(body), status)
        for path in ("/group-99", "/scene.yaml", "/../slide/scene.yaml", "/%2e%2e/scene.yaml"):
            t.equal(f"{path} is not found", get(address, path)[0], 404)
        listening = [line.split()[1] for line in open("/proc/net/tcp").read().splitlines()[1:] if line.split()[3] == "0A"]
        port = f":{int(address.split(':')[1]):04X}"
        t.equal("it listens on this machine alone", [place for place in listening if place.endswith(port)], ["0100007F" + port])
        t.equal("POST is refused", get(address, "/", "POST")[0], 405)
        for host in ("example.com", address.replace("127.0.0.1", "example.com"), "127.0.0.1"):
            t.equal(f"a request to the host {host} is refused", get(address, "/head", host=host)[0], 403)
        t.equal("localhost is this machine", get(address, "/head", host=address.replace("127.0.0.1", "localhost"))[0], 200)
        for known in ([], ["8437"]):  # the usual port may be in use here: then the message names it
            usual = t.start("view", "slide", "--serve", *known)
            said = usual.stdout.readline() or usual.stderr.readline()
            usual.send_signal(signal.SIGINT)
            usual.communicate(timeout=20)
            t.check(f"--serve {' '.join(known)}: the port 8437", "8437" in said, said)
        result = t.run("view", "slide", "--serve", address.split(":")[1])
        t.check("a port that is taken: exit status 4", result.returncode == 4 and "cannot listen" in result.stderr, shown(result))
        shutil.rmtree(t.folder / "slide")
        t.equal("a folder that has gone: an answer in words", get(address, "/head")[0], 503)
    finally:
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=20)
    t.check("Ctrl-C ends it with exit status 0", process.returncode == 0 and err == "", err)


def post(address, word, token):
    connection = http.client.HTTPConnection(address, timeout=20)
    connection.request("POST", f"/steer/{word}", headers={"X-Token": token})
    return connection.getresponse().status


def until(condition, seconds=20):
    end = time.time() + seconds
    while not condition() and time.time() < end:
        time.sleep(0.02)
    return condition()


def steering(t):
    """A run that is paused, goes on to the next frame, takes one step and ends, by its server."""
    t.write("long.yaml", support.SLIDE.replace("end: 0.6", "end: 1000"))
    run = t.start("run", "long.yaml", "-o", "long")
    folder = t.folder / "long"
    until(lambda: (folder / "steer").exists())
    process = t.start("view", "long", "--serve", "0")
    try:
        address = re.match(r"http://(127\.0\.0\.1:\d+)/ ", process.stdout.readline()).group(1)
        state = lambda: json.loads(get(address, "/steer")[1])
        token = state()["token"]
        t.check("a run that goes on listens", state()["word"] == "go" and re.fullmatch("[0-9a-f]{32}", token), state())
        t.equal("without the token nobody steers", (post(address, "pause", "x" * 32), post(address, "pause", "")), (403, 403))
        t.equal("... and the word is as it was", state()["word"], "go")
        t.equal("an unknown word is not found", post(address, "faster", token), 404)
        t.equal("pause", post(address, "pause", token), 200)
        steps = lambda: (folder / "history.csv").read_text().count("\n")
        frames = lambda: (folder / "frames.pvd").read_text().count('name="cube"')
        time.sleep(0.5)
        before = frames()
        time.sleep(0.5)
        t.equal("... no frame comes", frames(), before)
        shown_at = lambda: float(re.findall(r'timestep="([^"]*)"', (folder / "frames.pvd").read_text())[-1])
        row_at = lambda: float((folder / "history.csv").read_text().splitlines()[-1].split(",")[0])
        t.check("... the last frame and the last row are of where the run stands", shown_at() == row_at() == json.loads(get(address, "/head")[1])["times"][-1], (shown_at(), row_at()))
        t.equal("one frame more", post(address, "next", token), 200)
        t.check("... comes, and the run waits again", until(lambda: state()["word"] == "pause") and frames() == before + 1, (before, frames(), state()))
        rows, before = steps(), frames()
        t.equal("one step", post(address, "step", token), 200)
        t.check("... is taken and shown, and the run waits again", until(lambda: state()["word"] == "pause") and (steps(), frames()) == (rows + 1, before + 1), (rows, before, steps(), frames()))
        t.equal("stop", post(address, "stop", token), 200)
        out, err = run.communicate(timeout=30)
        t.check("... ends the run with a checkpoint", run.returncode == 130 and "continue with:" in out and list((folder / "checkpoints").glob("*.ckpt")), out + err)
        t.equal("... nothing listens any more", (state()["word"], post(address, "go", token), (folder / "steer").exists()), ("", 404, False))
    finally:
        run.kill()
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)


if __name__ == "__main__":
    support.Tester().finish([page, errors, partial_runs, passing, server, steering])

#!/usr/bin/env python3
"""What the program says to who does not know its words yet: synonyms, units, suggestions, counts, colours, completion, manual.

    words_test.py PROGRAM SOURCE_DIR
"""

import os
import pathlib
import pty
import re
import subprocess
import sys

sys.dont_write_bytecode = True
import cli_support as support
from cli_support import shown

HEAD = "stickslip: 1\ntime: {step: 0.01, end: 1}\nmaterials: {oak: {density: 700}}\n"


def complaints(t, scene):
    """The errors of a scene, without the lines that are quoted."""
    t.write("odd.yaml", scene)
    result = t.run("check", "odd.yaml")
    return result.returncode, [line.split("error: ", 1)[1] for line in result.stderr.splitlines() if "error: " in line], result.stderr


def body(extra, shape="shape: {box: [0.1, 0.1, 0.1]}"):
    return HEAD + f"bodies:\n  - {{name: cube, kind: rigid, material: oak, {shape}{extra}}}\n"


def synonyms(t):
    for what, scene, expected in [
        ("ball", body("", "shape: {ball: 0.1}"), ['bodies.cube.shape.ball: unknown key; here it is "sphere"']),
        ("geometry", body("", "geometry: {box: [1, 1, 1]}"), ['bodies.cube.geometry: unknown key; here it is "shape"']),
        ("type", body("").replace("kind: rigid", "type: rigid"), ['bodies.cube.type: unknown key; here it is "kind"']),
        ("pose", body(", pose: [0, 1, 0]"), ['bodies.cube.pose: unknown key; here it is "position"']),
        ("angle", body(", rotation: {axis: [0, 0, 1], angle: 30}"), ['bodies.cube.rotation.angle: unknown key; here it is "degrees"']),
        ("angle of a body", body(", angle: 30"), ["bodies.cube.angle: unknown key; a rotation is `rotation: {axis: [0, 0, 1], degrees: 30}`"]),
        ("kind ball", body("").replace("kind: rigid", "kind: ball"), ['bodies.cube.kind: expected deformable, rigid, spheres, mpm or obstacle, got "ball"; a ball is a shape: `kind: rigid, shape: {sphere: 0.1}`']),
        ("a shape without its size", body("", "shape: cube"), ['bodies.cube.shape: expected a mapping such as {box: ...}, got "cube"']),
        ("mass", body(", mass: 3"), ["bodies.cube.mass: unknown key; the mass follows from shape and `density` of the material"]),
        ("static", body(", static: true"), ["bodies.cube.static: unknown key; what never moves is `kind: obstacle`"]),
        ("friction of a body", body(", friction: 0.5"), ["bodies.cube.friction: unknown key; friction belongs to the material, to `contact.friction` or to a pair in `contact.pairs`"]),
        ("kind static", body("").replace("kind: rigid", "kind: static"), ['bodies.cube.kind: expected deformable, rigid, spheres, mpm or obstacle, got "static"; here it is "obstacle"']),
        ("Youngs_Modulus", body("").replace("density: 700", "density: 700, Youngs_Modulus: 1e6"), ['materials.oak.Youngs_Modulus: unknown key; here it is "young"']),
        ("time.integrator", HEAD.replace("end: 1", "end: 1, integrator: explicit") + "bodies: []\n", ["time.integrator: unknown key; implicit or explicit steps are `solver: {integration: explicit}`"]),
        ("a mapping of one number", body("", "shape: {sphere: {radius: 0.1}}"), ["bodies.cube.shape.sphere: expected a number > 0, got a mapping (write sphere: 0.1)"]),
        ("a diameter", body("", "shape: {sphere: {diameter: 20 cm}}"), ["bodies.cube.shape.sphere: expected a number > 0, got a mapping (write sphere: 0.1)"]),
        ("the size of a box", body("", "shape: {box: {size: [1, 2, 3]}}"), ["bodies.cube.shape.box: expected three numbers [x, y, z], each > 0, got a mapping (write box: [1, 2, 3])"]),
        ("half extents", body("", "shape: {box: {half_extents: [1, 2, 0.5]}}"), ["bodies.cube.shape.box: expected three numbers [x, y, z], each > 0, got a mapping (write box: [2, 4, 1])"]),
        ("a cube by one number", body("", "shape: {box: 0.1}"), ["bodies.cube.shape.box: expected three numbers [x, y, z], each > 0, got 0.1 (one number for each axis: write box: [0.1, 0.1, 0.1])"]),
        ("a position by names", body(", position: {x: 1, y: 2, z: 0}"), ["bodies.cube.position: expected three numbers [x, y, z], got a mapping (write position: [1, 2, 0])"]),
        ("an unknown mapping", body(", position: {x: up}"), ["bodies.cube.position: expected three numbers [x, y, z], got a mapping"]),
        ("the length of a cylinder", body("", "shape: {cylinder: {radius: 0.1, length: 1}}"), ['bodies.cube.shape.cylinder.length: unknown key; here it is "height"']),
        ("the file of a mesh", body("", "shape: {mesh: cow.obj}"), ['bodies.cube.shape.mesh: expected a mapping such as {file: cow.obj}, got "cow.obj"']),
        ("type: sphere", body("").replace("kind: rigid", "type: sphere"), ['bodies.cube.type: unknown key; here it is "kind"; a ball is a shape: `kind: rigid, shape: {sphere: 0.1}`; `spheres` are grains']),
        ("the type of a shape", body("", "shape: {type: ball, radius: 0.1}"), ["bodies.cube.shape.type: unknown key; write {sphere: ...}"]),
        ("friction of the whole", body("") + "friction: 0.5\n", ["friction: unknown key; friction of all bodies is `contact: {friction: 0.5}`, of some it belongs to the material"]),
        ("a list of a plane", body("", "shape: {plane: [0, 1, 0]}"), ["bodies.cube.shape.plane: expected a mapping such as {normal: [0, 1, 0]}, got a list"]),
        ("a list of a cylinder", body("", "shape: {cylinder: [0.1, 0.2]}"), ["bodies.cube.shape.cylinder: expected a mapping such as {radius: 0.1, height: 0.2}, got a list"]),
        ("the integrator", body("") + "solver: explicit\n", ['solver: expected a mapping such as {integration: ...}, got "explicit"']),
        ("no gravity", body("") + "gravity: false\n", ["gravity: expected three numbers [x, y, z], got false (write gravity: [0, 0, 0])"]),
        ("yes", body("") + "output: {contacts: yes}\n", ['output.contacts: expected true or false, got "yes" (write true)']),
        ("off", body("") + "output: {contacts: off}\n", ['output.contacts: expected true or false, got "off" (write false)']),
        ("a material that is not there", body("").replace("material: oak", "material: steel"), ['bodies.cube.material: no material "steel"; the scene has: oak']),
        ("a material in its body", body("").replace("material: oak", "material: {density: 3}"), ["bodies.cube.material: expected a name, got a mapping; describe it at the top, materials: {stone: {density: 3}}, and write material: stone here"]),
        ("a body that is not there", body(", place_on: ground"), ['bodies.cube.place_on: no body "ground"; the scene has: cube']),
        ("bodies by name", HEAD + "bodies: {cube: {kind: rigid}}\n", ['bodies: expected a list of at least one, got a mapping (each entry begins with "-")']),
        ("a scene without its first line", body("").replace("stickslip: 1\n", ""), ["stickslip: required key is missing (write stickslip: 1, the version of the format)"]),
        ("density of the whole", body("") + "density: 500\n", ["density: unknown key; density belongs to a material: `materials: {oak: {density: 700}}`"]),
        ("three angles", body(", rotation: [0, 0, -30]"), ["bodies.cube.rotation: expected a mapping such as {axis: [0, 0, 1], degrees: -30}, got a list"]),
        ("an angle about x", body(", rotation: [45, 0.0, 0]"), ["bodies.cube.rotation: expected a mapping such as {axis: [1, 0, 0], degrees: 45}, got a list"]),
        ("a quaternion", body(", rotation: [1, 0, 0, 0]"), ["bodies.cube.rotation: expected a mapping such as {axis: [0, 0, 1], degrees: 30}, got a list"]),
        ("frames of the output", body("") + "output: {frame: 0.1, fps: 30}\n", [f"output.{key}: unknown key; the time from frame to frame is `time: {{frame: 0.05}}`" for key in ("frame", "fps")]),
        ("a time step of the solver", body("") + "solver: {dt: 0.1}\n", ["solver.dt: unknown key; the time step is `time: {step: 0.01, end: 1}`"]),
        ("the other body of a probe", body("") + "output: {probes: [{name: a, body: cube, with: cube}]}\n", ['output.probes.a.with: unknown key; here it is "by"']),
        ("dt", HEAD.replace("step:", "dt:") + "bodies: []\n", ['time.dt: unknown key; here it is "step"']),
    ]:
        status, found, text = complaints(t, scene)
        t.check(f"a word of other programs: {what}", status == 2 and found[: len(expected)] == expected, text)


def units(t):
    for given, si in [("10 ms", "0.01"), ("10ms", "0.01"), ("1 s", "1"), ("2.5 min", "150"), ("-3 cm", "-0.03")]:
        status, found, text = complaints(t, body("").replace("end: 1", f"end: {given}"))
        t.check(f"{given}: what to write", status == 2 and f"(SI units: write {si})" in found[0], text)
    status, found, text = complaints(t, body("").replace("density: 700", "density: 7.8 g/cm3"))
    t.check("7.8 g/cm3: what to write", status == 2 and "(SI units: write 7800)" in found[0], text)
    for given, hint in [("velocity: 3 m/s", "(SI units, one number for each axis: write velocity: [3, 0, 0])"), ("position: 10mm", "write position: [0.01, 0, 0])"),
                        ("velocity: [3 m/s, 0, 0]", "(SI units: write 3)"), ("rotation: 30 deg", "such as {axis: [0, 0, 1], degrees: 30}"),
                        ("rotation: {axis: [0, 0, 1], degrees: 90 deg}", "(SI units: write 90)"), ("angular_velocity: [60 rpm, 0, 0]", "(SI units: write 6.28318531)")]:
        status, found, text = complaints(t, body(f", {given}"))
        t.check(f"{given}: what to write", status == 2 and len(found) == 1 and hint in found[0], text)
    status, found, text = complaints(t, body("") + "gravity: 9.81 m/s2\nsolver: {max_newton: 50 s}\n")
    t.check("gravity: 9.81 m/s2: what to write", status == 2 and "write gravity: [0, -9.81, 0])" in text and "(no unit: write 50)" in text, text)
    status, found, text = complaints(t, body("").replace("end: 1", "end: 3 weeks"))
    t.check("an unknown unit", status == 2 and "(write the number alone, in SI units)" in found[0], text)


def commas(t):
    for given, meant in [("[0 0.05 0]", "[0, 0.05, 0]"), ("[0 0.05, 0]", "[0, 0.05, 0]"), ("[0, 0.05 0]", "[0, 0.05, 0]"), ("0 0.05 -1e-3", "[0, 0.05, -1e-3]"),
                         ("[0, 0.05 0, 1]", "[0, 0.05, 0, 1]"), ("[0 1]", "[0, 1]")]:
        status, found, text = complaints(t, body(f", position: {given}"))
        t.check(f"missing commas: {given}", status == 2 and len(found) == 1 and f"(separate them by commas: {meant})" in found[0], text)
    for given in ["[0, 0.05]", "[1 cm, 0, 0]", "['0 0.05', 0]"]:
        status, found, text = complaints(t, body(f", position: {given}"))
        t.check(f"no commas are missing: {given}", status == 2 and "commas" not in text, text)
    status, found, text = complaints(t, body("").replace("end: 1", "end: 1 2"))
    t.check("two numbers for one", status == 2 and "(one number; several are separated by commas)" in found[0], text)
    status, found, text = complaints(t, body(", copies: {grid: {count: [2 1, 1], spacing: [1, 1, 1]}}"))
    t.check("missing commas: counts", status == 2 and "(separate them by commas: [2, 1, 1])" in text, text)
    status, found, text = complaints(t, body("") + "contact: {pairs: [{bodies: [floor box], friction: 0.1}]}\n")
    t.check("missing commas: names", status == 2 and "(separate them by commas: [floor, box])" in text, text)


def decimal_commas(t):
    point = "numbers have a decimal point: write "
    for what, scene, expected in [
        ("of a value", body("").replace("{step: 0.01, end: 1}", "\n  step: 0,01\n  end: 1"), [f'time.step: expected auto or a number > 0, got "0,01" ({point}0.01)']),
        ("between brackets", body("", "shape: {sphere: 0,1}"), [f"bodies.cube.shape.sphere: {point}sphere: 0.1"]),
        ("twice", body("").replace("step: 0.01, end: 1", "step: 0,01, end: 1,5"), [f"time.step: {point}step: 0.01", f"time.end: {point}end: 1.5"]),
        ("of a vector", body(", position: [0,1, -1,25, 0,3]"), [f"bodies.cube.position: expected three numbers [x, y, z], got 6 values ({point}[0.1, -1.25, 0.3])"]),
        ("of one of three", body(", position: [0, 1,5, 0]"), ["bodies.cube.position: expected three numbers [x, y, z], got 4 values (%s[0, 1.5, 0])" % point]),
        ("of no number beside a blank", body(", position: [0, 1, 5, 0]"), ["bodies.cube.position: expected three numbers [x, y, z], got 4 values"]),
        ("of six numbers that are no such thing", body(", position: [0.5, 1, 2, 3, 4, 5]"), ["bodies.cube.position: expected three numbers [x, y, z], got 6 values"]),
    ]:
        status, found, text = complaints(t, scene)
        t.check(f"a decimal comma {what}", status == 2 and found == expected, text)


def colons(t):
    for what, scene, expected in [
        ("of a block", body("").replace("- {name: cube, kind: rigid, material: oak, shape: {box: [0.1, 0.1, 0.1]}}", "- name: cube\n    kind: rigid\n    material: oak\n    shape {sphere: 0.1}"),
         ['bodies.cube.shape {sphere: unknown key; a ":" is missing after "shape"']),
        ("between brackets", body("").replace("step: 0.01", "step 0.01"), ['time.step 0?01: unknown key; a ":" is missing after "step"']),
        ("of a word", body("").replace("kind: rigid", "kind rigid"), ['bodies.cube.kind rigid: unknown key; a ":" is missing after "kind"']),
    ]:
        status, found, text = complaints(t, scene)
        t.check(f"a missing colon {what}", status == 2 and found == expected, text)


def syntax(t):
    bad = "stickslip: 1\n"
    for what, text, expected in [
        ("a bracket that is missing", bad + "bodies:\n  - {name: a, shape: {box: [1, 1, 1}}", '3:36: error: expected "]" for the "[" of line 3, column 28, found "}"'),
        ("one too many", bad + "bodies: [{name: a}}]", '2:19: error: expected "]" for the "[" of line 2, column 9, found "}"'),
        ("one that was never opened", bad + "gravity: 0, 1, 2]\ntitle: ]", '3:8: error: found "]" where no bracket is open; is "[" missing before it?'),
        ("one that is never closed", bad + "gravity: [0, 1, 2\ntime: {end: 1}", '2:10: error: this "[" is not closed; expected "]"'),
        ("a quote that is never closed", bad + 'bodies:\n  - {name: "a, kind: rigid}', "3:12: error: this quote is not closed; expected '\"' after the text"),
        ("brackets in text count for nothing", bad + "title: 'a ] b'\n# }\ntime: {step: 0.1 end: 1}", '4:21: error: expected "," or "}" before this; keys of a mapping are separated by commas'),
        ("a colon in text", bad + "title: one: two", '2:11: error: a second ": " in one line; text with ": " in it belongs in quotes'),
        ("a colon that is missing", bad + "time\n  step: 0.1", '3:7: error: a ":" is missing in line 2'),
        ("a colon that is missing before a bracket", bad + "time {step: 0.1, end: 1}", '2:21: error: a ":" is missing after "time"'),
        ("no space after -", bad + "bodies:\n  -name: a\n   kind: rigid", '4:8: error: a space is missing after the "-" of line 3'),
        ("a list in the line of its key", bad + "bodies: - name: a", '2:9: error: no "-" is expected here; each entry of a list begins on a line of its own'),
        ("a sign that begins no value", bad + "title: @home", "2:8: error: a value cannot begin with this sign; put text in quotes"),
        ("a backslash in double quotes", bad + 'title: "C:\\data"', '2:13: error: "\\d" means nothing in double quotes; in single quotes "\\" is an ordinary sign'),
    ]:
        status, found, said = complaints(t, text + "\n")
        t.check(f"syntax: {what}", status == 2 and said.startswith("odd.yaml:" + expected), said)
    t.write("odd.yaml", body(""))
    result = t.run("check", "odd.yaml", "--set", "gravity=[1, 2")
    t.check("syntax: of an override", "not closed" in result.stderr, shown(result))


def counts(t):
    status, found, text = complaints(t, body(", mass: 3, static: true"))
    t.check("errors are counted", text.splitlines()[-1] == "2 errors", text)
    status, found, text = complaints(t, body("".join(f", wrong{i}: 1" for i in range(31))))
    t.check("those that are not shown too", found[-1] == "and 11 more" and len(found) == 21 and text.splitlines()[-1] == "31 errors", text)
    status, found, text = complaints(t, body(", mass: 3"))
    t.write("odd.yaml", body(""))
    text = t.run("check", "odd.yaml", "--set", "time.step=5").stderr
    t.check("a fault that an override made names it", text.splitlines()[-1] == "note: read with --set time.step=5", text)
    t.write("framed.yaml", body("").replace("end: 1", "end: 1, frame: 0.04"))
    text = t.run("check", "framed.yaml", "--set", "time.step=0.05").stderr
    t.check("a warning too", "time.frame: shorter than the step" in text and text.splitlines()[-1] == "note: read with --set time.step=0.05", text)
    t.check("one needs no count", len(found) == 1 and "1 error" not in text, text)


def in_terminal(t, **environment):
    """Standard error of a check as a terminal gets it."""
    master, slave = pty.openpty()
    try:
        t.write("odd.yaml", body(", mass: 3"))
        variables = {key: value for key, value in t.environment.items() if key != "NO_COLOR"} | {"TERM": "xterm"} | environment
        process = subprocess.Popen([t.program, "check", "odd.yaml"], cwd=t.folder, env=variables, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=slave)
        process.wait(30)
        return os.read(master, 100000).decode()
    finally:
        os.close(master)
        os.close(slave)


def colours(t):
    t.check("errors are red in a terminal", "\033[1;31merror:\033[0m" in in_terminal(t), in_terminal(t))
    t.check("but not with NO_COLOR", "\033" not in in_terminal(t, NO_COLOR="1"), in_terminal(t, NO_COLOR="1"))
    t.check("nor without a terminal", "\033" not in complaints(t, body(", mass: 3"))[2])


def command_line(t):
    for what, arguments, expected in [
        ("an unknown command", ["rnu", "x"], 'unknown command "rnu"; did you mean "run"?'),
        ("help as a command", ["help"], 'unknown command "help"; here it is stickslip --help\n'),
        ("a command of other programs", ["simulate", "x.yaml"], 'unknown command "simulate"; here it is stickslip run\n'),
        ("another", ["validate", "x.yaml"], 'unknown command "validate"; here it is stickslip check\n'),
        ("options of render that exclude each other", ["render", "x.out", "--max", "1", "--quantile", "0.5"], "--quantile and --max cannot be given together"),
        ("an unknown example", ["example", "inclin"], 'example: expected the name of a built-in scene, got "inclin"; did you mean "incline"?'),
        ("a shortened option", ["--vers"], 'unknown option --vers; did you mean "--version"?'),
        ("arguments in the order in which they are given", ["run", "x.yaml", "b", "a"], "unexpected arguments: b a\n"),
        ("a misspelt option", ["run", "x.yaml", "--thread", "4"], 'unknown option --thread; did you mean "--threads"?'),
        ("a letter that is no option", ["run", "x.yaml", "-j", "4"], "unknown option -j\n"),
        ("an option without its value", ["run", "x.yaml", "-o"], "--output: expected DIR, found nothing"),
        ("an option given twice", ["run", "x.yaml", "--threads", "2", "--threads", "3"], "--threads: expected once, found 2 times"),
        ("a number that is none", ["run", "x.yaml", "--threads", "two"], '--threads: expected a whole number from 1 to 1024, got "two"'),
        ("a number out of range", ["view", "x.out", "--serve", "99999"], '--serve: expected a whole number from 0 to 65535, got "99999"'),
        ("a value without a range", ["render", "x.out", "--min", "low"], '--min: expected a number, got "low"'),
        ("a switch with a number", ["run", "x.yaml", "--quiet=5"], "--quiet: expected no value, it is a switch"),
        ("an empty folder", ["run", "x.yaml", "-o", ""], "--output: expected DIR, found an empty word"),
        ("a switch with a value", ["run", "x.yaml", "--quiet=very"], "--quiet: expected no value, it is a switch"),
        ("options that exclude each other", ["run", "x.yaml", "--resume", "--force"], "--resume and --force cannot be given together"),
        ("a scene that is missing", ["run"], "expected SCENE: scene file (YAML or JSON)"),
        ("a scene before the table", ["sweep", "x.yaml", "rows.csv"], 'TABLE: expected a table (CSV), then the scene, got "x.yaml" first'),
        ("no command", [], "expected a command"),
        ("a format that is not known", ["import", "mujoco", "x.xml"], 'FORMAT: expected rigid-ipc, got "mujoco"'),
        ("a format that is missing", ["export", "x.out"], "expected --to FORMAT: gltf: animated .glb"),
    ]:
        result = t.run(*arguments)
        t.check(what, result.returncode == 2 and result.stderr.startswith("stickslip: error: " + expected), shown(result))
    for setting in ["bodies.c...=3", "bodies.c.velocity=3", "time.step=3 ms"]:
        t.write("odd.yaml", body(""))
        result = t.run("check", "odd.yaml", "--set", setting)
        t.check(f"--set {setting}: an error is called one", result.returncode == 2 and result.stderr.startswith(f"--set {setting.split('=')[0]}: error: "), shown(result))
    scene = body(", position: [0, 1, 0]").replace("end: 1", "end: 0.05")
    t.write("short.yaml", scene)
    result = t.run("run", "short.yaml", "-o", "a run")
    t.check("after a run: what to do next", "see it: stickslip view 'a run'" in result.stdout.splitlines(), shown(result))
    for verb in ["run", "check"]:
        result = t.run(verb, "a run")
        t.check(f"{verb} of a run folder: where its scene is", result.returncode == 4 and "it is a run folder; its scene is a run/scene.yaml" in result.stderr, shown(result))


def helps(t):
    text = t.run("--help").stdout
    verbs = re.findall(r"^  (\w[\w-]*) ", text.split("Commands:")[1].split("Options:")[0], re.M)
    t.check("--help lists the commands", {"run", "view", "render", "check-derivatives"} <= set(verbs) and text.startswith("Usage: stickslip COMMAND [OPTIONS]\n"), text)
    for verb in ["", *verbs]:
        result = t.run(*verb.split(), "--help")
        long = [line for line in result.stdout.splitlines() if len(line) > 80 and not line.startswith(("Example:", "         stickslip"))]
        t.check(f"{verb} --help fits a terminal of 80 columns", result.returncode == 0 and not long and "TEXT" not in result.stdout, long or result.stdout)
    text = t.run("run", "--help").stdout
    t.check("names stand in one column, descriptions in the next", "  -o, --output DIR  run folder (default: SCENE without its ending, plus .out)\n" in text, text)
    t.check("... that goes on under itself", "\n  --set KEY=VALUE   replace a value of the scene: path.to.key=value (bodies by\n                    name); may be repeated\n" in text, text)
    t.check("... and says what excludes what", "replace the run in the folder; not with --resume\n" in text, text)
    t.check("what must be given is in the first line", t.run("export", "--help").stdout.startswith("Usage: stickslip export DIR --to FORMAT [OPTIONS]\n"), t.run("export", "--help").stdout)


def completed(t, *words):
    """What bash offers for the last of these words."""
    script = t.run("completion", "bash").stdout
    array = " ".join(f"'{word}'" for word in ("stickslip", *words))
    code = f"{script}\nCOMP_WORDS=({array}); COMP_CWORD={len(words)}; _stickslip; echo \"${{COMPREPLY[@]}}\""
    path = str(pathlib.Path(t.program).parent)
    result = subprocess.run(["bash", "-c", code], cwd=t.folder, env=dict(t.environment, PATH=path + ":" + os.environ["PATH"]), capture_output=True, encoding="utf-8")
    return result.stdout.split(), shown(result)


def completion(t):
    for words, expected in [(["re"], ["render"]), (["run", "x.yaml", "--th"], ["--threads"]), (["export", "x.out", "--to", "u"], ["usda"]), (["example", "hop"], ["hopper"]), (["bench", "card"], ["card_house"]), (["bench", "--ag"], ["--against"]), (["run", "sce"], [])]:
        found, detail = completed(t, *words)
        t.check(f"completion of {' '.join(words)}", found == expected, detail)
    found, detail = completed(t, "plot", "a run", "kin")
    t.check("completion of the names that a run can plot", found == ["kinetic_energy"], detail)
    found, detail = completed(t, "plot", "a run", "cube.x", "cube.sp")
    t.check("completion of another", sorted(found) == ["cube.speed", "cube.spin"], detail)


def manual(t):
    result = t.run("manual")
    verbs = ["run", "view", "check", "example", "info", "import", "schema", "sweep", "bench", "plot", "render", "export", "completion"]
    t.check("the manual page has every command and the exit status", result.returncode == 0 and result.stdout.startswith(".TH STICKSLIP 1") and all(f".SS stickslip {verb}\n" in result.stdout for verb in verbs) and "EXIT STATUS" in result.stdout, result.stdout[:2000])
    t.check("the manual page says which options exclude each other", all(words in result.stdout for words in ["not with \\-\\-resume", "not with \\-\\-compare, \\-\\-output", "not with \\-\\-quantile"]), result.stdout)
    lines = [line for line in result.stdout.splitlines() if line.startswith((".", "'"))]
    t.check("and only requests that are meant", {line.split()[0] for line in lines} <= {".TH", ".SH", ".SS", ".B", ".TP", ".PP"}, lines[:40])


def examples(t):
    shipped = sorted(path.stem for path in (t.source / "scenes").glob("*.yaml"))
    listed = sorted(line.split()[0] for line in t.run("example").stdout.splitlines())
    t.equal("every scene of the gallery is an example", listed, shipped)
    result = t.run("example", "hopper", "-o", "own/hopper.yaml")
    t.check("with its mesh", result.returncode == 0 and (t.folder / "own/meshes/hopper.obj").read_bytes() == (t.source / "scenes/meshes/hopper.obj").read_bytes(), shown(result))
    result = t.run("example", "incline", "-o", "new/folder/incline.yaml")
    t.check("into a folder that is made", result.returncode == 0 and (t.folder / "new/folder/incline.yaml").is_file(), shown(result))
    result = t.run("example", "stack", "-o", "own")
    t.check("into a folder that there is", result.returncode == 0 and (t.folder / "own/stack.yaml").is_file(), shown(result))
    result = t.run("check", "own/hopper.yaml")
    t.check("and is good there", result.returncode == 0, shown(result))


if __name__ == "__main__":
    support.Tester().finish([synonyms, units, commas, decimal_commas, colons, syntax, counts, colours, command_line, helps, completion, manual, examples])

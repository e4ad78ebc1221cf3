#!/usr/bin/env python3
"""Checks docs/scene.schema.json with an independent implementation of JSON Schema: good scenes pass, broken ones fail.

usage: scene_schema_test.py SOURCE_DIR        exit status 77: skipped, a module is missing
"""
import json
import pathlib
import re
import sys

try:
    import jsonschema
    import yaml
except ImportError as missing:
    print(f"skipped: needs python3-jsonschema and python3-yaml ({missing})")
    sys.exit(77)

# What one value at a time can show, and no reader of YAML 1.1 changes before the schema sees it.
BROKEN = """alternatives bodies_empty body_name_empty body_name_with_slash body_without_name box_with_zero density_70o density_negative
    expect_unknown_metric friction_negative future_version integer_fraction integer_too_large copies_faulty kind_unknown
    keyframes_empty missing_keys missing_version misspelt_required_key model_misspelt motion_mixed number_absurd number_in_quotes
    number_with_unit plane_normal_zero poisson_half rotation_quaternion_zero rotation_two_forms shape_misspelt shape_none shape_two
    stiffness_zero title_is_a_number unknown_key vector_of_two vector_scalar""".split()


def loader():
    """YAML 1.1 takes 1e6 for text; scenes are YAML 1.2."""
    made = type("Loader", (yaml.SafeLoader,), {})
    number = yaml.resolver.re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$")
    made.add_implicit_resolver("tag:yaml.org,2002:float", number, list("-+.0123456789"))
    return made


def load(path):
    return yaml.load(path.read_text(encoding="utf-8-sig"), loader())


def manual_examples(source):
    """Each example of the manual, merged with its base scene as far as the schema looks."""
    blocks = re.findall(r"```yaml\n(.*?)```", (source / "docs/scene_format.md").read_text(), re.S)
    base, *examples = [yaml.load(block, loader()) for block in blocks]
    time = base["time"]
    return [{**base, **example, "time": {**time, **example.get("time", {})}} for example in examples]


def main():
    source = pathlib.Path(sys.argv[1])
    schema = json.loads((source / "docs/scene.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    failures = 0
    folder = source / "tests/build"
    good = sorted((folder / "good_scenes").glob("*.yaml")) + sorted((source / "scenes").glob("**/*.yaml"))
    for path in good:
        for error in validator.iter_errors(load(path)):
            print(f"{path.name}: must pass, but {error.json_path}: {error.message}")
            failures += 1
    examples = manual_examples(source)
    for scene in examples:
        for error in validator.iter_errors(scene):
            print(f"example of the manual {scene}: must pass, but {error.json_path}: {error.message}")
            failures += 1
    failures += len(examples) < 40  # the manual was not read
    for name in BROKEN:
        if validator.is_valid(load(folder / "broken_scenes" / f"{name}.yaml")):
            print(f"{name}.yaml: must fail, but passes")
            failures += 1
    print(f"{len(good)} good scenes, {len(examples)} examples and {len(BROKEN)} broken scenes, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The JSON Schemas are valid, accept files of this program and of earlier versions, and refuse unknown keys.
# Usage: tests/packaging/schemas_test.sh SINOSCOPE-CLI; status 77 (skipped) without python3-jsonschema.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
cli=$1
python=
for candidate in python3 /usr/bin/python3; do
    if "$candidate" -c 'import jsonschema; jsonschema.Draft202012Validator' 2>/dev/null; then python=$candidate; break; fi
done
[ -n "$python" ] || { echo "SKIP: no python3-jsonschema"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$cli" phantom shepp-logan --size 48 --projections 60 --output "$work/head.h5" >/dev/null
for kind in recipe session report; do "$cli" reference --schema $kind >"$work/$kind.schema.json"; done
# Reconstructs a slice with options of all kinds, and one without options.
"$cli" reconstruct "$work/head.h5" --output "$work/a.tif" --json "$work/report-a.json" --save-recipe "$work/recipe-a.json" \
    --method cpu --interpolation oversampled --precision half --filter butterworth --pad edge --rings sorting --axis 23.5 \
    --region 4,5,12,10 --memory-limit 1GB --bin 2 --every 2 --values counts --angles 0:180 >/dev/null
"$cli" reconstruct "$work/head.h5" --output "$work/b.tif" --json "$work/report-b.json" --save-recipe "$work/recipe-b.json" >/dev/null

"$python" - "$work" <<'PYTHON'
import glob, json, sys
from jsonschema import Draft202012Validator, ValidationError

work, failures, accepted = sys.argv[1], 0, 0

def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)

def wrong(text):
    global failures
    failures += 1
    print("FAIL:", text)

def require(validator, document, name):
    global accepted
    accepted += 1
    for error in validator.iter_errors(document):
        wrong(f"{name}: {'/'.join(map(str, error.absolute_path))}: {error.message[:300]}")

def require_refused(validator, document, name):
    if validator.is_valid({**document, "windw": 1}):
        wrong(f"{name} with an unknown key is accepted")

kinds = {}
for kind in ("recipe", "session", "report"):
    schema = load(f"{work}/{kind}.schema.json")
    Draft202012Validator.check_schema(schema)
    kinds[kind] = Draft202012Validator(schema)
request = Draft202012Validator(load(f"{work}/report.schema.json")["$defs"]["request"])
written = "tests/engine/documents/written/"
for path in sorted(glob.glob(written + "recipe-*.json") + glob.glob(work + "/recipe-*.json")):
    require(kinds["recipe"], load(path), path)
    require_refused(kinds["recipe"], load(path), path)
for path in sorted(glob.glob(written + "*.sinoscope")):
    require(kinds["session"], load(path), path)
    require_refused(kinds["session"], load(path), path)
for path in sorted(glob.glob(written + "report-*.json")): # these files have only a report's request
    require(request, load(path), path)
    require_refused(request, load(path), path)
for path in sorted(glob.glob(work + "/report-*.json")):
    require(kinds["report"], load(path), path)
    require_refused(kinds["report"], load(path), path)
if accepted < 20:
    wrong(f"only {accepted} files were looked at")
print(f"{accepted} files, {failures} faults")
sys.exit(failures > 0)
PYTHON

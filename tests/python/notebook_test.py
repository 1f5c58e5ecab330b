# SPDX-License-Identifier: GPL-3.0-or-later
"""Run the cells of a notebook in their order, as Jupyter would: notebook_test.py FILE."""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    cells = [cell for cell in json.load(file)["cells"] if cell["cell_type"] == "code"]
assert cells, "the notebook has no cells"
names: dict = {"__name__": "__main__"}
for number, cell in enumerate(cells, 1):
    exec(compile("".join(cell["source"]), f"{sys.argv[1]}, cell {number}", "exec"), names)
print(f"{len(cells)} cells ran")

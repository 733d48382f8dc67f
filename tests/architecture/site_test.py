#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The site of docs/: it builds, and the build refuses what it is to refuse.

    site_test.py PROJECT             builds the project's site, once
    site_test.py PROJECT --refusals  tries scripts/site.py on a project of a few pages
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

GOOD = {
    "docs/index.md": "# One\n\n[two](two.md#a-place), [outer](../OUTER.md), [folder](../folder), ![picture](a.svg)\n",
    "docs/two.md": "# Two\n\n## A place\n\n[one](index.md), [itself](#a-place)\n",
    "docs/a.svg": "<svg/>",
    "OUTER.md": "# Outer\n\n[two](docs/two.md), [plain](folder/plain.txt)\n",
    "folder/plain.txt": "plain",
}
NAVIGATION = "site_name: Little\ntheme: readthedocs\nhooks: [site.py]\nnav: [index.md, two.md]\n"

def build(root, config, site):
    return subprocess.run(["mkdocs", "build", "--quiet", "--strict", "-f", config, "-d", site], cwd=root, text=True, capture_output=True)

def refuses(project, changes, reason):
    """Builds GOOD with `changes` of its files. `reason` is what the build says then; nothing, where it succeeds."""
    with tempfile.TemporaryDirectory() as scratch:
        root = pathlib.Path(scratch)
        for name, text in {"mkdocs.yml": NAVIGATION, **GOOD, **changes}.items():
            (root / name).parent.mkdir(exist_ok=True)
            (root / name).write_text(text)
        shutil.copyfile(project / "scripts/site.py", root / "site.py")
        # Stands for what Debian's theme leaves out.
        (root / "docs/js").mkdir()
        (root / "docs/js/theme_extra.js").write_text("")
        made = build(root, "mkdocs.yml", "site")
        said = made.stdout + made.stderr
        assert (made.returncode == 0) == (reason is None), said
        assert reason is None or reason in said, said
        if reason is None:
            assert (root / "site/project/OUTER/index.html").is_file() and (root / "site/project/folder/plain.txt").is_file()

def refusals(project):
    refuses(project, {}, None)
    refuses(project, {"docs/three.md": "# Three\n"}, "not in the navigation of mkdocs.yml: three.md")
    refuses(project, {"docs/two.md": "[gone](gone.md)\n\n## A place\n"}, "gone.md")
    refuses(project, {"docs/two.md": "# Two\n"}, "leads to two/#a-place, a place that the page does not have")
    refuses(project, {"docs/two.md": "## A place\n\n<img src=\"b.svg\">\n"}, "leads to b.svg, which is not there")
    refuses(project, {"OUTER.md": "[gone](docs/gone.md)\n"}, "gone.md")

def main():
    project = pathlib.Path(sys.argv[1]).resolve()
    if shutil.which("mkdocs") is None:
        print("mkdocs is not installed")
        return 77
    if "--refusals" in sys.argv:
        refusals(project)
        return 0
    with tempfile.TemporaryDirectory() as site:
        made = build(project, "mkdocs.yml", site)
        print(made.stdout + made.stderr)
        return made.returncode

sys.exit(main())

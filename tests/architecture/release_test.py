#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/release on a project of four files, as far as --dry-run goes, and what it refuses.

    release_test.py PROJECT
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

FILES = {
    "CMakeLists.txt": "project(unknot VERSION 0.1.0 LANGUAGES CXX)\n",
    "CHANGELOG.md": "# Changes\n\n## Unreleased\n\n- Something.\n\n## 0.1.0\n\n- The first.\n",
    "CITATION.cff": "title: Unknot\nversion: 0.1.0\n",
    ".gitignore": "/out/\n",
}

class Project:
    def __init__(self, project, folder):
        self.root = pathlib.Path(folder, "project")
        (self.root / "scripts").mkdir(parents=True)
        shutil.copy(project / "scripts/release", self.root / "scripts")
        for name, text in FILES.items():
            (self.root / name).write_text(text)
        self.git("init", "--quiet", "--initial-branch=main")
        self.git("config", "user.name", "Tester")
        self.git("config", "user.email", "tester@localhost")
        self.commit()

    def git(self, *words):
        return subprocess.run(["git", *words], cwd=self.root, check=True, text=True, capture_output=True).stdout

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "--quiet", "-m", "As it is")

    def write(self, name, text):
        (self.root / name).write_text(text)
        self.commit()

    def release(self, *words):
        return subprocess.run(["scripts/release", *words], cwd=self.root, text=True, capture_output=True)

    def refuses(self, reason, *words):
        said = self.release(*words)
        assert said.returncode == 2 and reason in said.stderr and said.stderr.count("\n") == 1, said
        assert not (self.root / "out").exists()

def dry_run(project):
    state = project.git("rev-parse", "HEAD") + project.git("tag") + project.git("status", "--porcelain", "--ignored")
    for version in ("0.2.0", "1.0.0", "0.10.0"):
        said = project.release(version, "--dry-run")
        assert said.returncode == 0, said
        assert f"version {version} after 0.1.0" in said.stdout and f"unknot-{version}.tar.gz" in said.stdout, said
    assert state == project.git("rev-parse", "HEAD") + project.git("tag") + project.git("status", "--porcelain", "--ignored")

def refusals(project):
    project.refuses("expected a version such as")
    project.refuses("expected a version such as", "1.2", "--dry-run")
    project.refuses("expected nothing after the version", "1.2.0", "--drily")
    project.refuses("0.0.9 comes before the version", "0.0.9", "--dry-run")
    project.refuses("has changes of 0.1.0 already", "0.1.0", "--dry-run")
    project.git("tag", "v0.3.0")
    project.refuses("there is a tag v0.3.0", "0.3.0", "--dry-run")
    project.git("checkout", "--quiet", "-b", "other")
    project.refuses("of the branch main", "1.0.0", "--dry-run")
    project.git("checkout", "--quiet", "main")
    (project.root / "more").write_text("")
    project.refuses("not committed", "1.0.0", "--dry-run")
    (project.root / "more").unlink()
    project.write("CHANGELOG.md", FILES["CHANGELOG.md"].replace("- Something.\n", ""))
    project.refuses("CHANGELOG.md: expected changes", "1.0.0", "--dry-run")
    project.write("CHANGELOG.md", FILES["CHANGELOG.md"])
    project.write("CMakeLists.txt", "project(unknot)\n")
    project.refuses("where the version stands", "1.0.0", "--dry-run")

def main():
    project = pathlib.Path(sys.argv[1]).resolve()
    missing = [tool for tool in ("git", "cmake", "ninja", "cpack", "dpkg-deb", "mkdocs", "doxygen", "npm") if shutil.which(tool) is None]
    if missing:
        print("not installed:", *missing)
        return 77
    for test in (dry_run, refusals):
        with tempfile.TemporaryDirectory() as folder:
            test(Project(project, folder))
    return 0

sys.exit(main())

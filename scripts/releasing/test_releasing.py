"""Tests of the release script, with a text in place of the program: python3 -m unittest."""

import io
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.dont_write_bytecode = True

import elf  # noqa: E402
import facts  # noqa: E402
import licenses  # noqa: E402
import pack  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
TARGET = "x86_64-unknown-linux-musl"
PAPERS = pack.Papers(
    [pack.File("pitmaster.1", b".TH PITMASTER 1\n")],
    {shell: b"# complete\n" for shell in pack.COMPLETIONS},
    b"terms\n",
)


def commit(root):
    facts.git(root, "init", "--quiet")
    facts.git(root, "add", ".")
    identity = ["-c", "user.name=Ada", "-c", "user.email=ada@pitmaster.invalid"]
    facts.git(root, *identity, "commit", "--quiet", "--message", "All")


def source():
    return facts.Source.of(ROOT)


class Packages(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.program = self.folder / "program"
        self.program.write_bytes(b"a program")

    def make(self, name):
        out = self.folder / name
        out.mkdir()
        made = pack.all_of(source(), TARGET, self.program, PAPERS, out)
        made.append(pack.checksums(made, out))
        return made

    def test_two_runs_give_the_same_bytes(self):
        one, two = self.make("one"), self.make("two")
        self.assertEqual(len(one), 4)
        for first, second in zip(one, two):
            self.assertEqual(first.name, second.name)
            self.assertEqual(first.read_bytes(), second.read_bytes(), first.name)

    def test_the_archive_has_what_a_first_game_needs_and_no_hostile_bot(self):
        made = self.make("out")[0]
        with tarfile.open(made) as tar:
            names = [name.split("/", 1)[1] for name in tar.getnames() if "/" in name]
            owners = {(entry.uid, entry.mtime) for entry in tar}
        for wanted in ["pitmaster", "man/man1/pitmaster.1", "completions/_pitmaster", "tournaments/demo.toml",
                       "LICENSES-OF-CRATES.txt", "bots/greedy-python/bot.toml", "docs/class.md",
                       "docker/course.Dockerfile"]:
            self.assertIn(wanted, names)
        self.assertFalse([name for name in names if "hostile" in name])
        self.assertEqual(owners, {(0, source().time)})

    def test_the_record_of_the_wheel_is_right(self):
        made = self.make("out")[2]
        with zipfile.ZipFile(made) as wheel:
            names = wheel.namelist()
            record = wheel.read(next(name for name in names if name.endswith("/RECORD"))).decode()
            rows = [line.split(",") for line in record.splitlines()]
            self.assertEqual(sorted(row[0] for row in rows), sorted(names))
            for name, value, _size in rows[:-1]:
                self.assertEqual(value, f"sha256={pack.digest(wheel.read(name))}")
            program = wheel.getinfo(next(name for name in names if name.endswith("scripts/pitmaster")))
            self.assertEqual(program.external_attr >> 16 & 0o777, 0o755)

    @unittest.skipUnless(shutil.which("dpkg-deb"), "no Debian: dpkg-deb reads the package elsewhere")
    def test_dpkg_reads_the_package(self):
        made = self.make("out")[1]
        field = subprocess.run(["dpkg-deb", "--field", made, "Package"], check=True, capture_output=True)
        self.assertEqual(field.stdout, b"pitmaster\n")
        field = subprocess.run(["dpkg-deb", "--field", made, "Maintainer"], check=True, capture_output=True, text=True)
        self.assertEqual(field.stdout.strip(), pack.MAINTAINER)
        listed = subprocess.run(["dpkg-deb", "--contents", made], check=True, capture_output=True, text=True)
        self.assertIn("root/root", listed.stdout)
        self.assertIn("./usr/share/man/man1/pitmaster.1.gz", listed.stdout)


class Facts(unittest.TestCase):
    def test_a_tag_must_name_the_version_and_the_changelog_a_date(self):
        with tempfile.TemporaryDirectory() as folder:
            made = facts.Source(Path(folder), "1.2.3", "0" * 40, 0)
            changelog = Path(folder) / "CHANGELOG.md"
            changelog.write_text("# Changes\n\n## 1.2.3, not released yet\n", encoding="utf-8")
            for tag in ["v1.2.4", "v1.2.3"]:
                with self.assertRaises(facts.ReleaseError):
                    made.check_tag(tag)
            changelog.write_text("# Changes\n\n## 1.2.3, 2026-11-23\n", encoding="utf-8")
            with self.assertRaisesRegex(facts.ReleaseError, "HEAD is not v1.2.3"):
                commit(made.root)
                made.check_tag("v1.2.3")
            facts.git(made.root, "tag", "v1.2.3")
            made.check_tag("v1.2.3")
            (made.root / "README.md").write_text("changed\n", encoding="utf-8")
            with self.assertRaisesRegex(facts.ReleaseError, "README.md"):
                made.check_tag("v1.2.3")

    def test_the_error_of_git_is_shown(self):
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(ROOT / "scripts" / "releasing", Path(folder) / "scripts" / "releasing")
            shutil.copy(ROOT / "scripts" / "release", Path(folder) / "scripts")
            shutil.copy(ROOT / "Cargo.toml", folder)
            ran = subprocess.run(
                [sys.executable, Path(folder) / "scripts" / "release"], capture_output=True, text=True, check=False,
                env={**os.environ, "GIT_CEILING_DIRECTORIES": str(Path(folder).resolve().parent)},
            )
        self.assertEqual(ran.returncode, 1)
        self.assertIn("not a git repository", ran.stderr)
        self.assertNotIn("Traceback", ran.stderr)

    def test_every_crate_has_its_license(self):
        crates = licenses.linked(ROOT, [TARGET])
        self.assertGreater(len(crates), 100)
        for crate in crates:
            self.assertTrue(licenses.texts(ROOT, crate), crate["name"])

    def test_the_interpreter_of_a_dynamic_program_is_found(self):
        self.assertIn("ld-linux", elf.interpreter(Path(sys.executable).resolve().read_bytes()))
        self.assertEqual(elf.crates(Path(sys.executable).resolve().read_bytes()), {})
        with self.assertRaises(ValueError):
            elf.interpreter(io.BytesIO(b"#!/bin/sh\n" * 20).read())


if __name__ == "__main__":
    unittest.main()

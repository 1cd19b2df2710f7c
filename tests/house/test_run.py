"""run.py in a checkout of its own, with stand-ins for pip and the tools: nothing is installed."""

import ast
import importlib.util
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest
from paths import ROOT

posix_only = pytest.mark.skipif(os.name != "posix", reason="needs links, scripts, signals")

ECHO = """\
#!{python}
import sys
print("echo", *sys.argv[1:])
sys.exit(7)
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    folder = tmp_path / "a checkout"
    folder.mkdir()
    for name in ("run.py", "pyproject.toml", "build_core.py"):
        shutil.copy(ROOT / name, folder)
    return folder


@pytest.fixture
def run(checkout: Path) -> ModuleType:
    """run.py as a module that believes it stands in the checkout."""
    spec = importlib.util.spec_from_file_location("run_of_checkout", checkout / "run.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def fake_environment(run: ModuleType, name: str, extras: frozenset[str]) -> None:
    """A stamped environment: this Python, programs that repeat their words and exit with 7, and no pip."""
    environment = run.Environment(name)
    environment.program("python").parent.mkdir(parents=True)
    if os.name == "posix":
        environment.program("python").symlink_to(sys.executable)
    else:
        environment.program("python").touch()
    for program in ("rulebook", "pytest", "ruff"):
        environment.program(program).write_text(ECHO.format(python=sys.executable), encoding="utf-8")
    environment.write_stamp(extras)


def change_requirements(checkout: Path) -> None:
    with open(checkout / "pyproject.toml", "a", encoding="utf-8") as file:
        file.write("# changed\n")


def start(checkout: Path, *words: str, **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(checkout / "run.py"), *words],
        env={**os.environ, **environ},
        capture_output=True,
        text=True,
        timeout=60,
    )


class TestOldPython:
    def test_python_3_6_can_parse_it(self) -> None:
        ast.parse((ROOT / "run.py").read_text(encoding="utf-8"), feature_version=(3, 6))

    def test_nothing_but_the_version_check_runs_before_the_version_check(self) -> None:
        body = ast.parse((ROOT / "run.py").read_text(encoding="utf-8")).body
        assert [type(statement) for statement in body[:3]] == [ast.Expr, ast.Import, ast.If]

    @pytest.mark.parametrize("version", [(3, 6, 15), (3, 10, 2)])
    def test_one_sentence_and_exit_code_2(self, checkout: Path, version: tuple[int, ...]) -> None:
        script = f"import runpy, sys; sys.version_info = {version}; runpy.run_path('run.py', run_name='__main__')"
        done = subprocess.run([sys.executable, "-c", script], cwd=checkout, capture_output=True, text=True)
        found = f"{version[0]}.{version[1]}"
        assert done.returncode == 2
        assert done.stderr == f"rulebook needs Python 3.11 or newer, and this is Python {found}.\n"
        assert done.stdout == ""

    def test_only_the_standard_library_is_imported(self) -> None:
        imported = set()
        for node in ast.walk(ast.parse((ROOT / "run.py").read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                imported |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                assert node.module is not None and node.level == 0
                imported.add(node.module.split(".")[0])
        assert imported <= sys.stdlib_module_names


class TestStamp:
    def test_missing(self, run: ModuleType) -> None:
        assert run.Environment(".venv").extras() is None

    @pytest.mark.parametrize("extras", [frozenset(), frozenset(["test"]), frozenset(["test", "dev"])])
    def test_remembers_extras(self, run: ModuleType, extras: frozenset[str]) -> None:
        fake_environment(run, ".venv", extras)
        assert run.Environment(".venv").extras() == extras

    def test_changed_requirements(self, run: ModuleType, checkout: Path) -> None:
        fake_environment(run, ".venv", frozenset())
        change_requirements(checkout)
        assert run.Environment(".venv").extras() is None
        assert run.Environment(".venv").fault() == "what rulebook is made of has changed since"

    def test_what_another_python_made_is_used_but_for_checks(
        self, run: ModuleType, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        fake_environment(run, ".venv", frozenset())
        monkeypatch.setattr(sys, "version", "3.99.0")
        assert run.Environment(".venv").extras() == frozenset()
        assert run.Environment(".venv", for_checks=True).fault().startswith("it was made by another Python")

    @posix_only
    @pytest.mark.parametrize("target", ["gone", "run.py"])
    def test_its_own_python_is_gone_or_is_another_now(self, run: ModuleType, checkout: Path, target: str) -> None:
        fake_environment(run, ".venv", frozenset())
        python = run.Environment(".venv").program("python")
        python.unlink()
        python.symlink_to(checkout / target)
        assert run.Environment(".venv").fault() == "the Python that it was made with is gone or has been replaced"

    def test_moved_checkout(self, run: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        fake_environment(run, ".venv", frozenset())
        (tmp_path / "a checkout").rename(tmp_path / "moved")
        monkeypatch.setattr(run, "ROOT", tmp_path / "moved")
        assert run.Environment(".venv").stamp.exists()
        assert run.Environment(".venv").fault() == "it was made for another folder"

    @pytest.mark.parametrize("lost", ["python", "rulebook", "pytest"])
    def test_lost_program(self, run: ModuleType, lost: str) -> None:
        fake_environment(run, ".venv", frozenset(["test"]))
        run.Environment(".venv").program(lost).unlink()
        assert run.Environment(".venv").extras() is None
        assert run.Environment(".venv").fault() == {
            "python": "the Python that it was made with is gone or has been replaced",
            "rulebook": "its rulebook is missing",
            "pytest": "its pytest is missing",
        }[lost]

    @pytest.mark.parametrize("content", [b"", b"abc", b"\xff\xfe"])
    def test_damaged(self, run: ModuleType, content: bytes) -> None:
        fake_environment(run, ".venv", frozenset())
        run.Environment(".venv").stamp.write_bytes(content)
        assert run.Environment(".venv").extras() is None


class TestSetUp:
    """With `make` or `install` replaced, so that only what goes on around them is left."""

    @pytest.fixture
    def calls(self, run: ModuleType, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
        calls: list[tuple[str, ...]] = []
        monkeypatch.setattr(run.Environment, "make", lambda self: calls.append(("make",)))
        monkeypatch.setattr(run.Environment, "install", lambda self, *words: calls.append(words))
        return calls

    def test_new(self, run: ModuleType, calls: list[tuple[str, ...]], checkout: Path) -> None:
        (checkout / ".venv").mkdir()
        run.Environment(".venv").ensure(frozenset())
        assert calls == [("make",), ("--editable", ".")]
        assert run.Environment(".venv").stamp.exists()

    def test_ready(self, run: ModuleType, calls: list[tuple[str, ...]]) -> None:
        fake_environment(run, ".venv", frozenset(["test", "dev"]))
        run.Environment(".venv").ensure(frozenset(["test"]))
        run.Environment(".venv").ensure(frozenset())
        assert calls == []

    def test_extras_are_added_to_what_is_there(self, run: ModuleType, calls: list[tuple[str, ...]]) -> None:
        fake_environment(run, ".venv", frozenset(["dev"]))
        run.Environment(".venv").ensure(frozenset(["test"]))
        assert calls == [("--editable", ".[dev,test]")]
        assert run.Environment(".venv").extras() == {"dev", "test"}

    @pytest.mark.parametrize("ready", [True, False])
    def test_interrupted_leaves_no_stamp(
        self, run: ModuleType, monkeypatch: pytest.MonkeyPatch, checkout: Path, ready: bool
    ) -> None:
        def interrupt(*_: object, **__: object) -> int:
            raise KeyboardInterrupt

        if ready:
            fake_environment(run, ".venv-wheel", frozenset())
        monkeypatch.setattr(run.Environment, "make", lambda self: self.folder.mkdir())
        monkeypatch.setattr(run, "call", interrupt)
        assert run.main(["test"]) == 130
        assert run.Environment(".venv-wheel").extras() is None

    def test_failed_pip_leaves_no_stamp(
        self, run: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setattr(run.Environment, "make", lambda self: self.folder.mkdir())
        monkeypatch.setattr(run, "call", lambda *_, **__: 1)
        assert run.main(["play", "wallet"]) == 2
        assert run.Environment(".venv").extras() is None
        assert "pip could not install" in capsys.readouterr().err

    def test_what_works_still_works_where_more_cannot_be_installed(
        self, run: ModuleType, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        fake_environment(run, ".venv", frozenset())
        monkeypatch.setattr(run, "call", lambda *_, **__: 1)
        assert run.main(["serve", "wallet"]) == 2
        assert run.Environment(".venv").extras() == frozenset()

    @pytest.mark.parametrize(("command", "extras"), [("serve", ".[web]"), ("play", ".")])
    def test_a_command_brings_what_it_needs(
        self, run: ModuleType, monkeypatch: pytest.MonkeyPatch, command: str, extras: str
    ) -> None:
        installed: list[str] = []
        monkeypatch.setattr(run.Environment, "make", lambda self: self.folder.mkdir())
        monkeypatch.setattr(run, "call", lambda words, *_, **__: installed.append(words[-1]) or 1)
        assert run.main([command, "wallet"]) == 2
        assert extras in installed

    def test_half_made_environment_is_made_anew(
        self, run: ModuleType, monkeypatch: pytest.MonkeyPatch, checkout: Path
    ) -> None:
        import venv

        (checkout / ".venv/lib").mkdir(parents=True)
        (checkout / ".venv/lib/left over").touch()
        run.Environment(".venv").clear_stamp()
        made: list[Path] = []
        monkeypatch.setattr(venv.EnvBuilder, "create", lambda self, folder: made.append(folder))
        run.Environment(".venv").make()
        assert made == [checkout / ".venv"]
        assert list((checkout / ".venv").iterdir()) == [run.Environment(".venv").stamp]

    @posix_only
    def test_of_a_link_only_the_link_is_removed(self, run: ModuleType, checkout: Path) -> None:
        (checkout / "kept").mkdir()
        (checkout / "kept/rulebook-stamp").touch()
        (checkout / ".venv").symlink_to("kept")
        run.Environment(".venv").remove()
        assert not (checkout / ".venv").exists()
        assert (checkout / "kept").is_dir()

    @pytest.mark.parametrize("words", [["play", "wallet"], ["test"]])
    def test_what_somebody_else_made_is_left_alone(
        self, run: ModuleType, checkout: Path, capsys: pytest.CaptureFixture[str], words: list[str]
    ) -> None:
        folder = run.Environment(".venv-wheel" if words == ["test"] else ".venv").folder
        (folder / "lib").mkdir(parents=True)
        (folder / "pyvenv.cfg").write_text("home = /usr/bin\n", encoding="utf-8")
        assert run.main(words) == 2
        assert f"{folder} was not made by run.py, which leaves it as it is." in capsys.readouterr().err
        assert sorted(path.name for path in folder.iterdir()) == ["lib", "pyvenv.cfg"]

    @pytest.mark.parametrize("at", ["making", "removing"])
    def test_what_was_interrupted_is_still_its_own(
        self, run: ModuleType, monkeypatch: pytest.MonkeyPatch, at: str
    ) -> None:
        def interrupt(*_: object, **__: object) -> None:
            raise KeyboardInterrupt

        fake_environment(run, ".venv", frozenset())
        run.Environment(".venv").stamp.write_text("of another Python", encoding="utf-8")
        monkeypatch.setattr("venv.EnvBuilder.create" if at == "making" else "shutil.rmtree", interrupt)
        with pytest.raises(KeyboardInterrupt):
            run.Environment(".venv").make()
        assert not run.Environment(".venv").is_foreign()
        assert run.Environment(".venv").extras() is None

    def test_pip_of_this_python_stands_in_for_a_missing_one(
        self, run: ModuleType, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        called: list[list[str]] = []
        monkeypatch.setattr(run, "call", lambda words, *_, **__: called.append(words))
        environment = run.Environment(".venv")
        environment.install("x")
        environment.program("pip").parent.mkdir(parents=True)
        environment.program("pip").touch()
        environment.install("x")
        python = str(environment.program("python"))
        assert [words[: words.index("install")] for words in called] == [
            [sys.executable, "-m", "pip", "--python", python],
            [python, "-m", "pip"],
        ]


@pytest.mark.parametrize("missing", [["venv"], ["ensurepip", "pip"]])
def test_python_without_venv_says_what_to_install(checkout: Path, tmp_path: Path, missing: list[str]) -> None:
    (tmp_path / "broken").mkdir()
    for name in missing:
        (tmp_path / f"broken/{name}.py").write_text("raise ImportError('not here')\n", encoding="utf-8")
    done = start(checkout, "play", "wallet", PYTHONPATH=str(tmp_path / "broken"))
    assert done.returncode == 2
    assert "sudo apt install python3-venv" in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    assert not (checkout / ".venv").exists()


@posix_only
class TestStart:
    def test_words_output_and_exit_code_pass_through(self, run: ModuleType, checkout: Path) -> None:
        fake_environment(run, ".venv", frozenset())
        done = start(checkout, "play", "wallet", "--seed", "two words")
        assert (done.returncode, done.stdout, done.stderr) == (7, "echo play wallet --seed two words\n", "")

    def test_the_rulebook_of_an_environment_made_by_hand_is_used(self, run: ModuleType, checkout: Path) -> None:
        fake_environment(run, ".venv", frozenset())
        run.Environment(".venv").stamp.unlink()
        done = start(checkout, "serve", "wallet")
        assert (done.returncode, done.stdout) == (7, "echo serve wallet\n")
        assert done.stderr == (
            "run.py: .venv was not made by run.py; its own rulebook is used, as it is installed there.\n"
        )
        assert not run.Environment(".venv").stamp.exists()

    def test_without_words_it_shows_the_help(self, run: ModuleType, checkout: Path) -> None:
        fake_environment(run, ".venv", frozenset())
        assert start(checkout).stdout == "echo --help\n"

    def test_hints_name_the_command_as_it_was_typed(self, run: ModuleType, checkout: Path) -> None:
        fake_environment(run, ".venv", frozenset())
        program = run.Environment(".venv").program("rulebook")
        program.write_text("import os\nprint(os.environ['RULEBOOK_COMMAND'])\n", encoding="utf-8")
        assert start(checkout, "list").stdout == f"python3 '{checkout / 'run.py'}'\n"

    def test_second_start_imports_nothing_that_is_slow(self, run: ModuleType, checkout: Path) -> None:
        """The time itself depends on the machine; what takes it does not."""
        fake_environment(run, ".venv", frozenset())
        words = [sys.executable, "-X", "importtime", str(checkout / "run.py"), "play"]
        done = subprocess.run(words, capture_output=True, text=True)
        imported = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
        assert "hashlib" in imported
        assert not imported & {"subprocess", "venv", "shutil", "logging", "importlib.metadata", "ensurepip"}


@posix_only
class TestTogether:
    """Two at once: whoever comes second takes nothing away beneath the first."""

    @pytest.fixture
    def playing(self, run: ModuleType, checkout: Path) -> Iterator[subprocess.Popen[str]]:
        """A table that was started from `.venv`, and plays until it is told something."""
        fake_environment(run, ".venv", frozenset())
        game = "print('ready', flush=True)\ninput()\n"
        run.Environment(".venv").program("rulebook").write_text(game, encoding="utf-8")
        words = [sys.executable, str(checkout / "run.py"), "play"]
        with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as table:
            assert table.stdout is not None
            assert table.stdout.readline() == "ready\n"
            yield table

    def test_what_a_table_uses_is_not_taken_away(
        self, run: ModuleType, checkout: Path, playing: subprocess.Popen[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        change_requirements(checkout)
        before = sorted((checkout / ".venv").rglob("*"))
        done = start(checkout, "play", "wallet")
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == (
            "run.py: .venv has to be made anew, because what rulebook is made of has changed since, and a program that "
            "was started from it still runs,\nperhaps a table. Close that program and run the same command again.\n"
        )
        assert sorted((checkout / ".venv").rglob("*")) == before
        playing.communicate("\n", timeout=30)
        monkeypatch.setattr(run.Environment, "remove", lambda self: made.append(self.folder.name))
        made: list[str] = []
        with pytest.raises(run.SetupError):  # it cannot be made in a folder that is there
            run.Environment(".venv").ensure(frozenset())
        assert made == [".venv"]

    def test_it_is_used_by_others_meanwhile(self, checkout: Path, playing: subprocess.Popen[str]) -> None:
        assert playing.poll() is None
        again = subprocess.run(
            [sys.executable, str(checkout / "run.py"), "list"], input="\n", capture_output=True, text=True, timeout=60
        )
        assert (again.returncode, again.stdout, again.stderr) == (0, "ready\n", "")

    def test_one_makes_it_and_all_use_it(self, run: ModuleType, checkout: Path) -> None:
        """Each under a Python of its own; what stands in for pip notes who installed, and takes its time."""
        script = (
            "import sys, time, run\nfrom pathlib import Path\n"
            "sys.version = sys.argv[1]\n"
            "def make(self):\n    self.program('python').parent.mkdir(parents=True)\n"
            "    self.program('python').symlink_to(sys.executable)\n"
            "def install(self, *words):\n    print('installs', flush=True); time.sleep(0.3)\n"
            f"    self.program('rulebook').write_text({ECHO.format(python='')!r})\n"
            "run.Environment.make, run.Environment.install = make, install\n"
            "sys.exit(run.main(['list']))\n"
        )
        tables = [
            subprocess.Popen(
                [sys.executable, "-c", script, version],
                cwd=checkout,
                env={**os.environ, "PYTHONPATH": str(checkout)},
                stdout=subprocess.PIPE,
                text=True,
            )
            for version in ("3.11.1", "3.12.2", "3.13.3")
        ]
        printed = [table.communicate(timeout=60)[0] for table in tables]
        assert [table.returncode for table in tables] == [7, 7, 7]
        assert sorted(printed) == ["echo list\n", "echo list\n", "installs\necho list\n"]

    def test_where_nothing_can_be_written(self, run: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse(*_: object) -> int:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(run.os, "open", refuse)
        assert run.main(["list"]) == 2


def test_windows_takes_nothing_away_whose_files_are_open(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There a folder gets no other name then; half of it would be gone before the first such file."""

    def refuse(*_: object) -> None:
        raise PermissionError(13, "in use")

    fake_environment(run, ".venv", frozenset())
    before = sorted(run.Environment(".venv").folder.rglob("*"))
    environment = run.Environment(".venv")
    monkeypatch.setattr(run, "POSIX", False)
    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(run.SetupError, match="could not be removed"):
        environment.remove()
    assert sorted(environment.folder.rglob("*")) == before


class TestChecks:
    @pytest.fixture
    def outcome(
        self, run: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> Callable[..., tuple[int, list[list[str]], str]]:
        """Run `test` with a ready environment, the named steps failing: exit code, programs, last line.

        mypy goes on beside the others, so it is not among the programs.
        """
        calls: list[list[str]] = []
        monkeypatch.delenv("CI", raising=False)

        def outcome(*words: str, failing: str = "") -> tuple[int, list[list[str]], str]:
            fake_environment(run, ".venv-wheel", run.extras_for_checks())

            def call(command: list[str], *_: object, **__: object) -> int:
                calls.append(command[2:])
                if "hatchling" in command:
                    dist = Path(command[-1])
                    dist.mkdir(exist_ok=True)
                    (dist / "tabletop_rulebook-0.1.0-py3-none-any.whl").touch()
                return int(command[2] in failing.split())

            monkeypatch.setattr(run, "call", call)
            status = run.main(["test", *words])
            in_order = [words for words in calls if words[0] != "mypy"]
            assert len(in_order) == len(calls) - 1
            return status, in_order, capsys.readouterr().err.splitlines()[-1]

        return outcome

    def test_all_pass(self, outcome: Callable[..., tuple[int, list[list[str]], str]]) -> None:
        status, calls, last = outcome()
        assert status == 0
        assert [words[0] for words in calls] == ["ruff", "hatchling", "pip", "pytest"]
        assert last == "== ruff passed, mypy passed, pytest passed"

    @pytest.mark.parametrize(
        ("failing", "summary"),
        [
            ("ruff", "== ruff FAILED, mypy passed, pytest passed"),
            ("ruff mypy", "== ruff FAILED, mypy FAILED, pytest passed"),
            ("pytest", "== ruff passed, mypy passed, pytest FAILED"),
        ],
    )
    def test_all_run_whatever_fails(
        self, outcome: Callable[..., tuple[int, list[list[str]], str]], failing: str, summary: str
    ) -> None:
        status, calls, last = outcome(failing=failing)
        assert status == 1
        assert [words[0] for words in calls] == ["ruff", "hatchling", "pip", "pytest"]
        assert last == summary

    @pytest.mark.parametrize("failing", ["hatchling", "pip"])
    def test_a_wheel_that_cannot_be_installed_is_not_tested(
        self, outcome: Callable[..., tuple[int, list[list[str]], str]], failing: str
    ) -> None:
        status, calls, last = outcome(failing=failing)
        assert status == 1
        assert calls[-1][0] == failing
        assert last == "== ruff passed, mypy passed, pytest FAILED"

    def test_words_go_to_pytest(self, outcome: Callable[..., tuple[int, list[list[str]], str]]) -> None:
        _, calls, _ = outcome("-k", "leak")
        assert calls[-1] == ["pytest", "-n", "logical", "--dist", "worksteal", "-k", "leak"]

    def test_slow_tests_are_left_out(self, outcome: Callable[..., tuple[int, list[list[str]], str]]) -> None:
        _, calls, _ = outcome("--quick", "-k", "leak")
        assert calls[-1] == ["pytest", "-n", "logical", "--dist", "worksteal", "-m", "not slow", "-k", "leak"]

    @pytest.mark.parametrize("failing", ["", "pip"])
    def test_what_tests_compare_with_is_installed_where_it_can_be(
        self, outcome: Callable[..., tuple[int, list[list[str]], str]], failing: str
    ) -> None:
        """Where pip has none of it, it does not install the wheel either: the other checks are done."""
        status, calls, _ = outcome("--all", "-k", "leak", failing=failing)
        assert any("openspiel" in word and "rlcard" in word for word in calls[0])
        done = [words[0] for words in calls]
        assert (status, done[:4]) == (1 if failing else 0, ["pip", "ruff", "hatchling", "pip"])
        assert failing or calls[-1][-2:] == ["-k", "leak"]

    @pytest.mark.parametrize("failing", ["", "pip", "pytest"])
    def test_the_lowest_versions_are_those_that_are_asked_for(
        self,
        run: ModuleType,
        checkout: Path,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
        failing: str,
    ) -> None:
        calls: list[list[str]] = []
        monkeypatch.setattr(
            run, "call", lambda words, *_, **__: calls.append([*map(str, words)]) or int(words[2] == failing)
        )
        monkeypatch.setattr(run.Environment, "make", lambda self: (self.folder.mkdir(), self.clear_stamp()))
        monkeypatch.setattr(run.Environment, "fault", lambda self: run.NEVER_FINISHED)
        assert run.main(["test", "--lowest", "-k", "leak"]) == {"": 0, "pip": 2, "pytest": 1}[failing]
        assert ("pip could not install" in capsys.readouterr().err) is (failing == "pip")
        lowest = (checkout / ".venv-lowest" / "constraints.txt").read_text("utf-8").splitlines()
        project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
        assert {f"{name.replace('>=', '==')}" for name in project["dependencies"]} <= set(lowest)
        assert all(re.fullmatch(r"[\w-]+==[\d.]+", line) for line in lowest)
        assert calls[0][-2:] == ["--constraint", str(checkout / ".venv-lowest" / "constraints.txt")]
        assert failing == "pip" or calls[1][7:] == [*run.LOWEST, "-k", "leak"]
        monkeypatch.setattr(run, "ROOT", ROOT)
        left_out = {Path(word.removeprefix("--ignore=")).relative_to(ROOT / "tests") for word in run.list_reckoning()}
        assert {str(file.parent) for file in left_out} == {*run.RECKONING}
        assert Path("house/test_docs.py") in left_out and Path("agents/test_spiel.py") not in left_out

    @pytest.mark.parametrize("word", ["test_run.py", "tests/house/test_run.py::TestRun", "tests", "tests/house", "."])
    def test_files_of_tests_go_to_pytest(
        self,
        outcome: Callable[..., tuple[int, list[list[str]], str]],
        word: str,
        checkout: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        (checkout / "tests" / "house").mkdir(parents=True)
        monkeypatch.chdir(checkout / "tests" if word == "." else checkout)
        assert outcome(word)[1][-1][-1] == word

    @pytest.mark.parametrize("words", [["wallet"], ["cards/wallet", "--coverage"], ["./scenarios/one.yaml"]])
    def test_what_is_a_game_or_lies_in_one_is_tested_by_its_scenarios(
        self, run: ModuleType, monkeypatch: pytest.MonkeyPatch, words: list[str]
    ) -> None:
        started: list[list[str]] = []
        monkeypatch.setattr(run, "start", lambda given: started.append(given) or 7)
        assert run.main(["test", *words]) == 7
        assert started == [["test", *words]]


@posix_only
def test_interrupted_child_may_finish(checkout: Path) -> None:
    """Ctrl-C goes to the whole group: the child prints what it has, then run.py says 130."""
    child = "import time\ntry: print('ready', flush=True); time.sleep(50)\nexcept KeyboardInterrupt: print('tidy')\n"
    script = (
        "import sys, run\n"
        f"run.start = lambda words: run.call([sys.executable, '-c', {child!r}], run.clean_environ())\n"
        "sys.exit(run.main([]))\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script],
        cwd=checkout,
        env={**os.environ, "PYTHONPATH": str(checkout)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.1)
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (130, "tidy\n", "\nrun.py: interrupted.\n")

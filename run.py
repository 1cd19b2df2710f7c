"""Set up and start rulebook from a checkout, with nothing but Python 3.11 and pip.

    python3 run.py WORD ...         is `rulebook WORD ...`, for example: python3 run.py play wallet
    python3 run.py test [WORD ...]  is ruff, mypy, and pytest on the installed wheel; the words go to pytest
    python3 run.py test --quick     leaves out the slow tests; --all compares with other programs as well;
    python3 run.py test --lowest    is the quick tests of what packages have a say in, and all of what extras are
                                    for, with the lowest versions allowed
    python3 run.py test GAME ...    is `rulebook test GAME ...`, the scenarios of a game

In: the words of the command line, and `pyproject.toml`, which says what to install.
Out: `.venv` (for `test`, `.venv-wheel` or `.venv-lowest`) beside this file, then the command's output and exit code;
1 if a check failed, 2 if set-up cannot go on, 130 after Ctrl-C.  Its own messages go to stderr.
Never: installs anything outside these folders, touches one that it did not make, takes one away that a program
started here still uses, or decides where packages come from (pip does).

Python 3.6 must still be able to parse this file, so that an old Python can say more than "invalid syntax".
"""

import sys

if sys.version_info < (3, 11):
    found = "{}.{}".format(*sys.version_info[:2])
    sys.stderr.write("rulebook needs Python 3.11 or newer, and this is Python " + found + ".\n")
    sys.exit(2)

# What only set-up needs is imported where it is needed: it would cost more than the rest of a second start.
import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent
POSIX = os.name == "posix"
# The program that shows that an extra is really there, whatever else has been at work in the environment.
EXTRAS = {"test": "pytest", "dev": "ruff", "web": "uvicorn", "hooks": "pre-commit"}
FOR_CHECKS = frozenset({"test", "dev"})
COMPARED = frozenset({"openspiel", "pettingzoo", "rlcard", "hooks", "lsp", "targets", "docs", "frames"})
# Each worker begins with a part of the files, so that what tests of a file share is made once. Tests often wait, so a
# core that runs two threads has two.
PYTEST = ("-m", "pytest", "-n", "logical", "--dist", "worksteal")
QUICK = ("-m", "not slow")
RECKONING = ("agents", "english", "games", "house", "interpreter", "playtest", "reporting", "secrets")
"""Tests in which no package has a say: of documents, and of rules that were read, which are plain records."""
LOWEST = ("-m", "not slow and not needs or extra")
"""The same without those that drive other programs, which the newest versions have to do with."""
PATIENCE = 10.0
STDERR = 2

NO_VENV = """\
run.py: this Python ({python}) cannot make virtual environments: its venv or ensurepip module is missing.
On Debian and Ubuntu install it with:  sudo apt install python3-venv
On other systems install the package of your Python that holds venv and pip.
Then run the same command again."""
NOT_INSTALLED = """\
run.py: pip could not install what rulebook needs; its message is above.
Set-up needs the network, or a mirror named in pip's own configuration. Then run the same command again."""
NOT_MADE = """\
run.py: the virtual environment {folder} could not be made: {error}
If the message above does not help: on Debian and Ubuntu try  sudo apt install python3-venv"""
NOT_REMOVED = """\
run.py: {folder} is out of date and could not be removed: {error}
Close the programs that use it, delete it, and run the same command again."""
NOT_OURS = """\
run.py: {folder} was not made by run.py, which leaves it as it is.
Give it another name, or delete it, and run the same command again; or install rulebook in it:
    {python} -m pip install -e {root}"""
IN_USE = """\
run.py: {folder} has to be made anew, because {reason}, and a program that was started from it still runs,
perhaps a table. Close that program and run the same command again."""
NOT_COMPARED = """\
run.py: what tests compare with could not be installed; pip's message is above.
They are skipped, or with CI=true fail."""
NEVER_FINISHED = "it was never finished"
CHANGED = "what rulebook is made of has changed since"
MOVED = "it was made for another folder"
NO_PYTHON = "the Python that it was made with is gone or has been replaced"
OTHER_PYTHON = "it was made by another Python, and checks run under the one that starts them"
LOST = "its {program} is missing"
USED = "run.py: {folder} was not made by run.py; its own rulebook is used, as it is installed there."


class SetupError(Exception):
    """Set-up cannot go on; the text says what to do."""


class Environment:
    """A virtual environment beside this file.

    Its stamp is there from the first moment to the last, so an environment without one is somebody else's.  What
    the stamp says is written last and taken back first, so an environment is whole if its stamp says so.
    """

    def __init__(self, name: str, for_checks: bool = False, lowest: bool = False) -> None:
        self.folder = ROOT / name
        self.for_checks = for_checks
        self.lowest = lowest
        self.stamp = self.folder / "rulebook-stamp"
        self.in_use: int | None = None

    def program(self, name: str) -> Path:
        return self.folder / "bin" / name if POSIX else self.folder / "Scripts" / f"{name}.exe"

    def read_stamp(self) -> tuple[list[str], frozenset[str]]:
        """What this was made from, and its extras; nothing if there is no stamp, or one that cannot be read."""
        try:
            lines = self.stamp.read_text(encoding="utf-8").splitlines()
        except (OSError, ValueError):
            lines = []
        return lines[:4], frozenset(lines[4:])

    def fault(self) -> str:
        """Why the programs here cannot be used; nothing if they can, whichever Python made them."""
        made_from, extras = self.read_stamp()
        if len(made_from) < 4:
            return NEVER_FINISHED
        if not self.program("python").exists():
            return NO_PYTHON
        reasons = [CHANGED, MOVED, NO_PYTHON, OTHER_PYTHON if self.for_checks else ""]
        for reason, then, now in zip(reasons, made_from, self.facts(), strict=True):
            if reason and then != now:
                return reason
        for program in ["rulebook", *(EXTRAS[extra] for extra in EXTRAS if extra in extras)]:
            if not self.program(program).exists():
                return LOST.format(program=program)
        return ""

    def extras(self) -> frozenset[str] | None:
        """The extras installed here; None if the environment is missing, half-made or out of date."""
        return None if self.fault() else self.read_stamp()[1]

    def facts(self) -> list[str]:
        """What an environment is made from: what is installed, where, its own Python, and the one that makes it."""
        engine = ROOT / "rulebook" / "interpreter" / "core" / "engine"
        built_from = [ROOT / "pyproject.toml", ROOT / "build_core.py", *sorted(engine.glob("*.[ch]"))]
        parts = [
            b"".join(path.read_bytes() for path in built_from),
            os.fsencode(ROOT),
            os.fsencode(os.path.realpath(self.program("python"))),
            f"{sys.version}\n{sys.base_prefix}".encode(),
        ]
        return [hashlib.sha256(part).hexdigest() for part in parts]

    def is_foreign(self) -> bool:
        """Tell whether something stands here that this file did not make."""
        if self.stamp.exists() or not os.path.lexists(self.folder):
            return False
        return not self.folder.is_dir() or any(self.folder.iterdir())

    def clear_stamp(self) -> None:
        self.stamp.write_text("", encoding="utf-8")

    def write_stamp(self, extras: frozenset[str]) -> None:
        self.stamp.write_text("\n".join([*self.facts(), *sorted(extras)]) + "\n", encoding="utf-8")

    def ensure(self, extras: frozenset[str]) -> None:
        """Have the checkout installed here, editable, with at least these extras, and in use until this ends."""
        if self.use() and self.holds(extras):
            return
        self.release()
        with self.alone():
            if not self.holds(extras):
                self.install_checkout(extras)
            self.use()

    def holds(self, extras: frozenset[str]) -> bool:
        held = self.extras()
        return held is not None and extras <= held

    def install_checkout(self, extras: frozenset[str]) -> None:
        held = self.extras()
        if held is None:
            self.make()
        self.clear_stamp()
        extras |= held or frozenset()
        say(f"run.py: installing rulebook into {self.folder.name} (only this once) ...")
        words = ["--editable", f".[{','.join(sorted(extras))}]" if extras else "."]
        if self.lowest:
            constraints = self.folder / "constraints.txt"
            constraints.write_text("\n".join(list_lowest_versions()) + "\n", encoding="utf-8")
            words += ["--constraint", str(constraints)]
        try:
            self.install(*words)
        except SetupError:
            if held is not None:  # pip changes nothing where it cannot have everything.
                self.write_stamp(held)
            raise
        self.write_stamp(extras)

    def make(self) -> None:
        """A new, empty environment in place of an older one of this file's own."""
        import subprocess

        if self.is_foreign():
            python = shown(self.program("python"))
            raise SetupError(NOT_OURS.format(folder=self.folder, python=python, root=shown(ROOT)))

        with_pip = can_import("ensurepip")
        # Without ensurepip, the pip beside this Python can still install into an environment that has none.
        if not can_import("venv") or not (with_pip or can_import("pip")):
            raise SetupError(NO_VENV.format(python=sys.executable))
        import venv

        reason = self.fault() if self.stamp.exists() else ""
        with self.unused(reason):
            self.remove()
        say(f"run.py: making {self.folder.name}{f' anew, because {reason}' if reason else ''} ...")
        try:
            self.folder.mkdir()
            self.clear_stamp()
            venv.EnvBuilder(symlinks=POSIX, with_pip=with_pip).create(self.folder)
        except (OSError, subprocess.CalledProcessError) as error:
            raise SetupError(NOT_MADE.format(folder=self.folder, error=error)) from error

    def remove(self) -> None:
        import shutil

        try:
            if self.folder.is_symlink():
                self.folder.unlink()
            elif self.folder.exists():
                if not POSIX:
                    # There no folder gets another name while a file in it is open: better now than half-way.
                    self.folder.rename(f"{self.folder}.old").rename(self.folder)
                # Lest an interrupted removal leave half an environment that looks whole, or somebody else's.
                self.clear_stamp()
                for path in self.folder.iterdir():
                    if path.is_dir() and not path.is_symlink():
                        shutil.rmtree(path)
                    elif path != self.stamp:
                        path.unlink()
                shutil.rmtree(self.folder)
        except OSError as error:
            raise SetupError(NOT_REMOVED.format(folder=self.folder, error=error)) from error

    def install(self, *words: str) -> None:
        python = str(self.program("python"))
        if self.program("pip").exists():
            pip = [python, "-m", "pip"]
        else:
            pip = [sys.executable, "-m", "pip", "--python", python]
        # A user who asked pip for --user installs did not mean this environment, where pip would refuse.
        environ = clean_environ(PIP_USER="0")
        if call([*pip, "install", "--quiet", "--disable-pip-version-check", *words], environ, STDERR):
            raise SetupError(NOT_INSTALLED)

    def use(self) -> bool:
        """Keep this environment until this process ends, or the program that it becomes; False if there is none."""
        try:
            import fcntl
        except ImportError:  # Windows takes nothing away that is open.
            return True
        try:
            self.in_use = os.open(self.stamp, os.O_RDONLY)
        except OSError:
            return False
        os.set_inheritable(self.in_use, True)
        try:
            fcntl.flock(self.in_use, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            self.release()
            return False
        return True

    def release(self) -> None:
        if self.in_use is not None:
            os.close(self.in_use)
            self.in_use = None

    @contextmanager
    def unused(self, reason: str) -> Iterator[None]:
        """Keep everybody from using this environment, which is taken away for that reason; refuse if somebody does."""
        try:
            import fcntl
        except ImportError:
            yield
            return
        if not self.stamp.exists():
            yield
            return
        with open(self.stamp, encoding="utf-8") as stamp:
            try:
                fcntl.flock(stamp, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise SetupError(IN_USE.format(folder=self.folder.name, reason=reason)) from None
            yield

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keep a second run.py from changing the environment at the same time."""
        try:
            import fcntl
        except ImportError:  # Windows: two set-ups at once are left to the user's good sense.
            yield
            return
        try:
            lock = os.open(f"{self.folder}.lock", os.O_WRONLY | os.O_CREAT, 0o666)
        except OSError as error:
            raise SetupError(NOT_MADE.format(folder=self.folder, error=error)) from error
        try:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                say(f"run.py: waiting for another run.py that is at work in {self.folder.name} ...")
                fcntl.flock(lock, fcntl.LOCK_EX)
            yield
        finally:
            os.close(lock)


def can_import(name: str) -> bool:
    import importlib

    # Imported, not only looked for: some systems ship a stub that fails when it is used.
    try:
        importlib.import_module(name)
    except ImportError:
        return False
    return True


def clean_environ(**more: str) -> dict[str, str]:
    """This process's environment without what would lead another Python to foreign packages."""
    return {key: os.environ[key] for key in os.environ if key not in ("PYTHONPATH", "PYTHONHOME")} | more


def call(words: Sequence[str], environ: Mapping[str, str], output: int | None = None) -> int:
    """Run a program in the checkout, what it prints live or into the file of that number; return its exit code."""
    import subprocess

    child = subprocess.Popen(words, cwd=ROOT, env=environ, stdout=output)
    try:
        status = child.wait()
    except KeyboardInterrupt:
        # Ctrl-C reached the child as well; let it clean up and print what it has.
        try:
            child.wait(PATIENCE)
        except (KeyboardInterrupt, subprocess.TimeoutExpired):
            child.kill()
            child.wait()
        raise
    return status


def shown(path: Path) -> str:
    """A path as a shell reads it."""
    import shlex

    return shlex.quote(str(path)) if POSIX else f'"{path}"'


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def start(words: Sequence[str]) -> int:
    """Become `rulebook WORD ...`; on Windows, where a process cannot become another, run it and wait."""
    environment = Environment(".venv")
    if environment.is_foreign() and environment.program("rulebook").exists():
        say(USED.format(folder=environment.folder.name))
    else:
        environment.ensure(frozenset({"web"} if words[:1] == ["serve"] else ()))
    script = str(environment.program("rulebook"))
    words = words or ["--help"]
    import shlex

    # Hints name the command as it was typed; the script in the environment is on nobody's path.
    os.environ["RULEBOOK_COMMAND"] = f"{'python3' if POSIX else 'py'} {shlex.quote(sys.argv[0])}"
    if POSIX:
        # Through python: the script's first line may be too long for the system, or its disk mounted noexec.
        python = str(environment.program("python"))
        os.execv(python, [python, script, *words])
    import subprocess

    child = subprocess.Popen([script, *words])
    while True:
        try:
            return child.wait()
        except KeyboardInterrupt:
            pass  # It is for the game to decide what Ctrl-C means.


def list_lowest_versions() -> list[str]:
    """List each package that `pyproject.toml` names with the lowest version that it allows."""
    import re
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    several = [project["dependencies"], *project["optional-dependencies"].values()]
    bounds = {name: re.match(r"([\w.-]+)>=([\w.]+)(?:;|$)", name) for names in several for name in names}
    return sorted({f"{bound[1]}=={bound[2]}" for bound in bounds.values() if bound is not None})


def list_reckoning() -> list[str]:
    """List the words for pytest that leave out files in which no package has a say, and none that is about an extra."""
    files = [file for folder in RECKONING for file in sorted((ROOT / "tests" / folder).glob("test_*.py"))]
    return [f"--ignore={file}" for file in files if "mark.extra(" not in file.read_text(encoding="utf-8")]


def is_for_pytest(words: Sequence[str]) -> bool:
    """Tell whether the words behind `test` are for this project's own tests, and not a game's."""
    path = Path(words[0].partition("::")[0]).resolve() if words else ROOT
    return not words or words[0].startswith("-") or path.suffix == ".py" or (ROOT / "tests") in (path, *path.parents)


def extras_for_checks() -> frozenset[str]:
    """List what checks need: also what drives a browser, where there is one or has to be one."""
    import shutil

    has_browser = os.environ.get("CI") == "true" or shutil.which("chromium") is not None
    return FOR_CHECKS | frozenset({"browser"} if has_browser else ())


def test(words: Sequence[str]) -> int:
    """All checks, each whatever became of the one before, and a line on each at the end."""
    import tempfile
    from concurrent.futures import ThreadPoolExecutor

    if words[:1] == ["--lowest"]:
        return test_lowest(words[1:])
    environment = Environment(".venv-wheel", for_checks=True)
    option = words[0] if words[:1] in (["--all"], ["--quick"]) else ""
    words = [*(QUICK if option == "--quick" else ()), *(words[1:] if option else words)]
    try:
        is_all = option == "--all" or os.environ.get("CI") == "true"
        environment.ensure(extras_for_checks() | (COMPARED if is_all else frozenset()))
    except SetupError:
        if not is_all:
            raise
        say(NOT_COMPARED)
        environment.ensure(extras_for_checks())
    python = str(environment.program("python"))
    passed = dict.fromkeys(("ruff", "mypy", "pytest"), False)
    # For minutes mypy keeps one core busy, and building the wheel another one: they go on beside each other.
    with tempfile.TemporaryFile("w+", encoding="utf-8") as found, ThreadPoolExecutor() as beside:
        types = beside.submit(call, [python, "-m", "mypy", "--strict"], clean_environ(), found.fileno())
        say("== ruff check")
        passed["ruff"] = call([python, "-m", "ruff", "check"], clean_environ()) == 0
        say("== pytest, on the installed wheel")
        try:
            passed["pytest"] = test_wheel(environment, words)
        except SetupError as error:
            say(str(error))
        say("== mypy --strict")
        passed["mypy"] = types.result() == 0
        found.seek(0)
        print(found.read(), end="", flush=True)
    say("== " + ", ".join(f"{check} {'passed' if good else 'FAILED'}" for check, good in passed.items()))
    return 0 if all(passed.values()) else 1


def test_lowest(words: Sequence[str]) -> int:
    """Run the quick tests where each package is as old as it may be; the newest ones are in `.venv-wheel`."""
    environment = Environment(".venv-lowest", for_checks=True, lowest=True)
    environment.ensure(frozenset({"test", "browser"}) | COMPARED)
    say("== pytest, with the lowest versions")
    words = [*PYTEST, *LOWEST, *list_reckoning(), *words]
    good = call([str(environment.program("python")), *words], clean_environ()) == 0
    say(f"== pytest with the lowest versions {'passed' if good else 'FAILED'}")
    return 0 if good else 1


def test_wheel(environment: Environment, words: Sequence[str]) -> bool:
    """Build the wheel, install it in the place of the checkout or of the last wheel, test it."""
    python = environment.program("python")
    with environment.alone():
        dist = environment.folder / "dist"
        for old in dist.glob("*.whl"):
            old.unlink()
        build = [str(python), "-m", "hatchling", "build", "-t", "wheel", "-d", str(dist)]
        if call(build, clean_environ(), STDERR):
            say("run.py: the wheel could not be built.")
            return False
        [wheel] = dist.glob("*.whl")
        extras = environment.read_stamp()[1]
        environment.clear_stamp()
        environment.install("--no-index", "--no-deps", "--force-reinstall", str(wheel))
        environment.write_stamp(extras)
        # Safe path: neither pytest nor a Python that a test starts may find the package in the checkout.
        environ = clean_environ(
            PYTHONSAFEPATH="1",
            RULEBOOK_WHEEL=str(wheel),
            VIRTUAL_ENV=str(environment.folder),
            PATH=os.pathsep.join([str(python.parent), os.environ.get("PATH", os.defpath)]),
        )
        return call([str(python), *PYTEST, *words], environ) == 0


def main(words: Sequence[str]) -> int:
    try:
        return test(words[1:]) if words[:1] == ["test"] and is_for_pytest(words[1:]) else start(words)
    except SetupError as error:
        say(str(error))
        return 2
    except KeyboardInterrupt:
        say("\nrun.py: interrupted.")
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

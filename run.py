"""Set up and start rulebook from a checkout, with nothing but Python 3.11 and pip.

    python3 run.py WORD ...         is `rulebook WORD ...`, for example: python3 run.py play wallet
    python3 run.py test [WORD ...]  is ruff, mypy, and pytest on the installed wheel; the words go to pytest
    python3 run.py test GAME ...    is `rulebook test GAME ...`, the scenarios of a game

In: the words of the command line, and `pyproject.toml`, which says what to install.
Out: `.venv` (for `test`, `.venv-wheel`) beside this file, then the command's output and exit code;
1 if a check failed, 2 if set-up cannot go on, 130 after Ctrl-C.  Its own messages go to stderr.
Never: installs anything outside these two folders, touches one that it did not make, or decides where packages
come from (pip does).

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
EXTRAS = {"test": "pytest", "dev": "ruff", "web": "uvicorn"}
FOR_CHECKS = frozenset({"test", "dev"})
PATIENCE = 10.0

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
USED = "run.py: {folder} was not made by run.py; its own rulebook is used, as it is installed there."


class SetupError(Exception):
    """Set-up cannot go on; the text says what to do."""


class Environment:
    """A virtual environment beside this file.

    Its stamp is there from the first moment to the last, so an environment without one is somebody else's.  What
    the stamp says is written last and taken back first, so an environment is whole if its stamp says so.
    """

    def __init__(self, name: str) -> None:
        self.folder = ROOT / name
        self.stamp = self.folder / "rulebook-stamp"

    def program(self, name: str) -> Path:
        return self.folder / "bin" / name if POSIX else self.folder / "Scripts" / f"{name}.exe"

    def extras(self) -> frozenset[str] | None:
        """The extras installed here; None if the environment is missing, half-made or out of date."""
        try:
            made_from, _, words = self.stamp.read_text(encoding="utf-8").partition("\n")
        except (OSError, ValueError):
            return None
        extras = frozenset(words.split())
        programs = ["python", "rulebook", *(EXTRAS[extra] for extra in EXTRAS if extra in extras)]
        whole = made_from == fingerprint() and all(self.program(name).exists() for name in programs)
        return extras if whole else None

    def is_foreign(self) -> bool:
        """Tell whether something stands here that this file did not make."""
        if self.stamp.exists() or not os.path.lexists(self.folder):
            return False
        return not self.folder.is_dir() or any(self.folder.iterdir())

    def clear_stamp(self) -> None:
        self.stamp.write_text("", encoding="utf-8")

    def write_stamp(self, extras: frozenset[str]) -> None:
        self.stamp.write_text("\n".join([fingerprint(), *sorted(extras)]) + "\n", encoding="utf-8")

    def ensure(self, extras: frozenset[str]) -> None:
        """Have the checkout installed here, editable, with at least these extras."""
        held = self.extras()
        if held is not None and extras <= held:
            return
        with self.alone():
            held = self.extras()
            if held is not None and extras <= held:
                return
            if held is None:
                self.make()
            self.clear_stamp()
            extras |= held or frozenset()
            say(f"run.py: installing rulebook into {self.folder.name} (only this once) ...")
            self.install("--editable", f".[{','.join(sorted(extras))}]" if extras else ".")
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

        self.remove()
        say(f"run.py: making {self.folder.name} ...")
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
        if call([*pip, "install", "--quiet", "--disable-pip-version-check", *words], environ, chatter=True):
            raise SetupError(NOT_INSTALLED)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keep a second run.py from changing the environment at the same time."""
        try:
            import fcntl
        except ImportError:  # Windows: two set-ups at once are left to the user's good sense.
            yield
            return
        with open(f"{self.folder}.lock", "w", encoding="utf-8") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                say(f"run.py: waiting for another run.py that is at work in {self.folder.name} ...")
                fcntl.flock(lock, fcntl.LOCK_EX)
            yield


def fingerprint() -> str:
    """What an environment is made from: the requirements, the core, this Python, and the place of the checkout."""
    facts = [sys.version, sys.base_prefix, str(ROOT)]
    engine = ROOT / "rulebook" / "interpreter" / "core" / "engine"
    built_from = [ROOT / "pyproject.toml", ROOT / "build_core.py", *sorted(engine.glob("*.[ch]"))]
    return hashlib.sha256("\n".join(facts).encode() + b"".join(path.read_bytes() for path in built_from)).hexdigest()


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


def call(words: Sequence[str], environ: Mapping[str, str], chatter: bool = False) -> int:
    """Run a program in the checkout, its output live (chatter: all on stderr), and return its exit code."""
    import subprocess

    child = subprocess.Popen(words, cwd=ROOT, env=environ, stdout=sys.stderr if chatter else None)
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


def is_for_pytest(words: Sequence[str]) -> bool:
    """Tell whether the words behind `test` are for this project's own tests, and not a game's."""
    path = Path(words[0].partition("::")[0]) if words else ROOT
    return not words or words[0].startswith("-") or path.suffix == ".py" or any(path.glob("test_*.py"))


def test(words: Sequence[str]) -> int:
    """All checks, each whatever became of the one before, and a line on each at the end."""
    environment = Environment(".venv-wheel")
    environment.ensure(FOR_CHECKS)
    python = str(environment.program("python"))
    passed = {}
    say("== ruff check")
    passed["ruff"] = call([python, "-m", "ruff", "check"], clean_environ()) == 0
    say("== mypy --strict")
    passed["mypy"] = call([python, "-m", "mypy", "--strict"], clean_environ()) == 0
    say("== pytest, on the installed wheel")
    try:
        passed["pytest"] = test_wheel(environment, words)
    except SetupError as error:
        say(str(error))
        passed["pytest"] = False
    say("== " + ", ".join(f"{check} {'passed' if good else 'FAILED'}" for check, good in passed.items()))
    return 0 if all(passed.values()) else 1


def test_wheel(environment: Environment, words: Sequence[str]) -> bool:
    """Build the wheel, install it in the place of the checkout or of the last wheel, test it."""
    python = environment.program("python")
    with environment.alone():
        dist = environment.folder / "dist"
        for old in dist.glob("*.whl"):
            old.unlink()
        build = [str(python), "-m", "hatchling", "build", "-t", "wheel", "-d", str(dist)]
        if call(build, clean_environ(), chatter=True):
            say("run.py: the wheel could not be built.")
            return False
        [wheel] = dist.glob("*.whl")
        environment.clear_stamp()
        environment.install("--no-index", "--no-deps", "--force-reinstall", str(wheel))
        environment.write_stamp(FOR_CHECKS)
        # Each worker begins with half of the files, so that what tests of a file share is made once.
        # Safe path: neither pytest nor a Python that a test starts may find the package in the checkout.
        environ = clean_environ(
            PYTHONSAFEPATH="1",
            RULEBOOK_WHEEL=str(wheel),
            VIRTUAL_ENV=str(environment.folder),
            PATH=os.pathsep.join([str(python.parent), os.environ.get("PATH", os.defpath)]),
        )
        return call([str(python), "-m", "pytest", "-n", "auto", "--dist", "worksteal", *words], environ) == 0


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

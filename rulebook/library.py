"""The library: where game folders are found, and the variants and scenarios of a game.

Only the bundled games, what lies beside the game, and the very path given are looked at. What lies in a game's folder
lies there indeed: a link out of it is followed by nobody, since the game may be somebody else's.
"""

import difflib
import os
from pathlib import Path

RULES = "rulebook.yaml"
VARIANTS = "variants"
SCENARIOS = "scenarios"
_DEEPEST_GAME = 4


class GameNotFound(LookupError):
    """No game goes by this name or lies at this path; the text says so and what was perhaps meant."""


class VariantNotFound(LookupError):
    """No variant of the game goes by this name or lies at this path; the text says so and what was perhaps meant."""


def bundled() -> Path:
    """The folder of the bundled games: inside the installed package, or at the root of a checkout."""
    package = Path(__file__).resolve().parent
    installed = package / "cards"
    return installed if installed.is_dir() else package.parent / "cards"


def is_installed(folder: Path) -> bool:
    """Tell whether a game lies inside the installed package, where the next version takes away what was written."""
    return is_below(folder, Path(__file__).parent)


def find_games() -> list[Path]:
    """The folders of all bundled games, sorted: `cards/NAME`, and `cards/*/NAME` if in a collection."""
    games = []
    for folder in _folders(bundled()):
        # Whatever lies inside a game, its variants say, belongs to that game.
        candidates = [folder] if _is_game(folder) else _folders(folder)
        games += [candidate for candidate in candidates if _is_game(candidate)]
    return games


def find_games_below(folder: Path) -> list[Path]:
    """The folders of the games below a folder, sorted, four folders down at most.

    Hidden folders are left out. What lies inside a game belongs to it, and a link that leads out is not followed: the
    folder may be somebody else's.
    """
    found: list[Path] = []
    layer = [folder]
    for _ in range(_DEEPEST_GAME):
        inner = [one for above in layer for one in _folders(above) if is_below(one, folder)]
        found += filter(_is_game, inner)
        layer = [one for one in inner if not _is_game(one)]
    return sorted(found)


def find_game(name: str) -> Path:
    """The folder of the game meant by `name`; GameNotFound if there is none.

    What looks like a path is one, if a game lies there. A bare name means a bundled game, so that a folder which
    happens to stand in the working directory cannot take its place; where there is none of that name, a folder here.
    """
    if _looks_like_path(name) and _is_game(Path(name)):
        return Path(name)
    # A game outside a collection comes before one of the same name inside.
    for folder in sorted(find_games(), key=lambda folder: len(folder.parts)):
        if name in (folder.name, folder.relative_to(bundled()).as_posix()):
            return folder
    if name and _is_game(Path(name)):
        return Path(name)
    raise GameNotFound(_advice(name))


def is_bundled(game: str, *variants: str) -> bool:
    """Tell whether these are the names of a bundled game and of variants beside it, so that no path is looked at."""
    folder = next((folder for folder in find_games() if game == folder.name), None)
    return folder is not None and {*variants} <= {file.stem for file in variants_of(folder)}


def rule_files(folder: Path) -> list[Path]:
    """The files of a game's rules, sorted; a folder is none, and editors leave hidden files behind."""
    return [file for file in _yaml_files(folder) if not file.is_dir()]


def variants_of(folder: Path) -> list[Path]:
    """The files of the variants beside a game, sorted; editors leave hidden files behind."""
    return _yaml_files(folder / VARIANTS)


def scenario_files(folder: Path) -> list[Path]:
    """The files of the scenarios beside a game, sorted."""
    return _yaml_files(folder / SCENARIOS)


SHEETS = (".csv", ".tsv", ".xlsx")
"""Endings of spreadsheets, from which cards are read."""


def sheet_files(folder: Path) -> list[Path]:
    """The spreadsheets in a game's folder and beside its variants, sorted; programs leave hidden files behind."""
    homes = (home for home in (folder, folder / VARIANTS) if os.path.isdir(home) and not leads_out(home))
    files = (file for home in homes for file in home.iterdir())
    return sorted(file for file in files if file.name.lower().endswith(SHEETS) and not file.name.startswith((".", "~")))


PICTURES = (".png", ".jpg", ".jpeg", ".svg")
_DEEPEST = 3


def picture_files(folder: Path) -> list[Path]:
    """The files that could be pictures of a game, sorted: in its folder, and in the folders below it."""
    found: list[Path] = []
    for above, below, files in os.walk(folder):
        found += [Path(above, file) for file in files if file.lower().endswith(PICTURES)]
        deepest = len(Path(above).relative_to(folder).parts) >= _DEEPEST
        below[:] = [] if deepest else [name for name in below if not name.startswith((".", "_"))]
    return sorted(found)


def find_variant(folder: Path, name: str) -> Path:
    """The file of the variant meant by `name`, for the game in a folder; VariantNotFound if there is none.

    What looks like a path is one, if a file lies there. A bare name means a variant beside the game; where there is
    none of that name, a file here.
    """
    if (_looks_like_path(name) or name.endswith(".yaml")) and os.path.isfile(name):
        return Path(name)
    there = {file.stem: file for file in variants_of(folder)}
    if name in there:
        return there[name]
    if name and os.path.isfile(beside := f"{name}.yaml"):
        return Path(beside)
    game = folder.resolve().name
    sentence = f"There is no file {name}." if _looks_like_path(name) else f"There is no variant “{name}” of {game}."
    near = difflib.get_close_matches(Path(name).stem.lower(), there, n=1)
    listing = f"Its variants are: {', '.join(there)}." if there else f"{game} has no variants."
    raise VariantNotFound(" ".join([sentence, *([f"Did you mean {near[0]}?"] if near else []), listing]))


def leads_out(path: Path) -> bool:
    """Tell whether something in the folder of a game, or in its folders of variants and scenarios, is a link that
    leads out of the game's folder, or lies in one that does. The folder itself may be a link.
    """
    above = path.parent
    if not (os.path.islink(path) or (above.name in (VARIANTS, SCENARIOS) and os.path.islink(above))):
        return False
    homes = (above.parent, above) if above.name in (VARIANTS, SCENARIOS) else (above,)
    home = next((os.path.realpath(home) for home in homes if _is_game(home)), None)
    return home is not None and not is_below(path, home)


def is_below(path: Path, folder: str | Path) -> bool:
    """Tell whether a path leads to something in a folder, when all links are followed."""
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))


def _advice(name: str) -> str:
    names = sorted({folder.name for folder in find_games()})
    listing = f"The bundled games are: {', '.join(names)}." if names else "There are no bundled games."
    if _looks_like_path(name):
        sentences = [f"There is no {RULES} in {name}."]
    else:
        sentences = [f"There is no bundled game “{name}”."]
    near = difflib.get_close_matches(Path(name).name.lower(), names, n=1)
    if near:
        sentences.append(f"Did you mean {near[0]}?")
    return " ".join([*sentences, listing])


def _looks_like_path(name: str) -> bool:
    return name.startswith(".") or "/" in name or os.sep in name


def _is_game(folder: Path) -> bool:
    # Of a name that no file can have, Path would raise an error.
    return os.path.isfile(folder / RULES)


def _yaml_files(folder: Path) -> list[Path]:
    files = folder.iterdir() if os.path.isdir(folder) and not leads_out(folder) else ()
    return sorted(file for file in files if file.suffix == ".yaml" and not file.name.startswith("."))


def _folders(parent: Path) -> list[Path]:
    # A folder that may not be looked into holds nothing for us.
    if not (os.path.isdir(parent) and os.access(parent, os.R_OK | os.X_OK)):
        return []
    return sorted(child for child in parent.iterdir() if os.path.isdir(child) and not child.name.startswith("."))

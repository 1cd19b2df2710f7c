"""The page of the project in a package index: README with links that lead somewhere from there.

In: `README.md`, whose links are to files beside it, and `RULEBOOK_ADDRESS`, where the sources can be read (such as
`https://github.com/OWNER/rulebook`). Out: the page, and the addresses of the project. Never: an address that was not
given: without one the page is README as it is, and a release is not made.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

ADDRESS = "RULEBOOK_ADDRESS"
_LINK = re.compile(r'(\]\(|(?:src|href)=")(?![a-z]+:|#|/)([^)"\s]+)')
_PICTURES = (".png", ".svg", ".jpg", ".jpeg")


class PageHook(MetadataHookInterface):
    """Fills in what a checkout cannot know: where it is read."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Set `readme`, and `urls` where there is an address."""
        address = os.environ.get(ADDRESS, "").rstrip("/")
        tag = f"v{metadata['version']}"
        text = Path(self.root, "README.md").read_text("utf-8")
        metadata["readme"] = {
            "content-type": "text/markdown",
            "text": make_absolute(text, address, tag) if address else text,
        }
        if address:
            metadata["urls"] = {
                "Source": address,
                "Documentation": f"{address}/tree/{tag}/docs",
                "Changelog": f"{address}/blob/{tag}/CHANGELOG.md",
                "Issues": f"{address}/issues",
            }


def make_absolute(text: str, address: str, tag: str) -> str:
    """Lead all links of a page to the files of one version: pictures as they are, the rest as pages."""

    def lead(link: re.Match[str]) -> str:
        path = link[2]
        kind = "raw" if path.lower().endswith(_PICTURES) else "tree" if path.endswith("/") else "blob"
        return f"{link[1]}{address}/{kind}/{tag}/{path}"

    return _LINK.sub(lead, text)

"""Builds the wheel and the source archive, for `pip` (PEP 517) and by hand: ``python build_wheel.py DIRECTORY``.

The package is a folder of Python files without dependencies; a build tool would have to be downloaded first.
"""

from __future__ import annotations

import base64
import hashlib
import io
import os
import re
import sys
import tarfile
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
PACKAGE = "fraud_screening"
#: The oldest time that a zip can hold: the same sources give the same bytes.
EPOCH = (1980, 1, 1, 0, 0, 0)


def _project(name: str) -> str:
    with open(os.path.join(HERE, "pyproject.toml"), encoding="utf-8") as file:
        found = re.search(rf'^{name} = "(.*)"$', file.read(), re.MULTILINE)
    if found is None:
        raise SystemExit(f"pyproject.toml has no {name}")
    return found.group(1)


def _read(*path: str) -> bytes:
    with open(os.path.join(HERE, *path), "rb") as file:
        return file.read()


def _metadata() -> bytes:
    head = [
        "Metadata-Version: 2.4",
        f"Name: {_project('name')}",
        f"Version: {_project('version')}",
        f"Summary: {_project('description')}",
        f"License-Expression: {_project('license')}",
        f"Requires-Python: {_project('requires-python')}",
        "Classifier: Typing :: Typed",
        "Description-Content-Type: text/markdown",
    ]
    return "\n".join([*head, "", ""]).encode() + _read("README.md")


def _sources() -> "list[str]":
    names = os.listdir(os.path.join(HERE, PACKAGE))
    return sorted(name for name in names if name.endswith(".py") or name == "py.typed")


def _record_line(name: str, content: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(content)}"


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):  # type: ignore[no-untyped-def]
    info = f"{PACKAGE}-{_project('version')}.dist-info"
    files = [(f"{PACKAGE}/{name}", _read(PACKAGE, name)) for name in _sources()]
    tags = "Wheel-Version: 1.0\nGenerator: build_wheel\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files += [(f"{info}/METADATA", _metadata()), (f"{info}/WHEEL", tags.encode())]
    record = "\n".join([*(_record_line(*file) for file in files), f"{info}/RECORD,,", ""])
    name = f"{PACKAGE}-{_project('version')}-py3-none-any.whl"
    with zipfile.ZipFile(os.path.join(wheel_directory, name), "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, content in [*files, (f"{info}/RECORD", record.encode())]:
            entry = zipfile.ZipInfo(path, EPOCH)
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, content)
    return name


def build_sdist(sdist_directory, config_settings=None):  # type: ignore[no-untyped-def]
    root = f"{PACKAGE}-{_project('version')}"
    files = [(name, _read(name)) for name in ("pyproject.toml", "README.md", "build_wheel.py")]
    files += [(f"{PACKAGE}/{name}", _read(PACKAGE, name)) for name in _sources()]
    with tarfile.open(os.path.join(sdist_directory, f"{root}.tar.gz"), "w:gz") as archive:
        for path, content in [*files, ("PKG-INFO", _metadata())]:
            entry = tarfile.TarInfo(f"{root}/{path}")
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return f"{root}.tar.gz"


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        raise SystemExit("Usage: python build_wheel.py DIRECTORY\nBuilds the wheel of this package there.")
    os.makedirs(sys.argv[1], exist_ok=True)
    print(os.path.join(sys.argv[1], build_wheel(sys.argv[1])))

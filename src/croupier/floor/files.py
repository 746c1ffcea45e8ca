"""What log and checkpoints ask of the disk alike."""

import os
from pathlib import Path

LONGEST = 255 - len(".checkpoints")  # bytes of a name, with what we put behind it


def wrong_with_name(path: Path) -> str:
    """Why no file can be called so, or nothing."""
    if "\0" in str(path):
        return "no name has a null character"
    if any(len(os.fsencode(part)) > LONGEST for part in path.parts):
        return f"a name in it is longer than {LONGEST} bytes"
    return ""


def sync_folder(folder: Path) -> None:
    """A new name in a folder is kept for sure only when the folder is; not all systems can."""
    if os.name == "posix":
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)

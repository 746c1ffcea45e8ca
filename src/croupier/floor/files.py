"""What log and checkpoints ask of the disk alike."""

import os
from pathlib import Path


def sync_folder(folder: Path) -> None:
    """A new name in a folder is kept for sure only when the folder is; not all systems can."""
    if os.name == "posix":
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)

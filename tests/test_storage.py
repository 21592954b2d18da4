"""What is written whole."""

import os
import threading
from pathlib import Path

from ludus.storage import write_whole


def test_only_files_are_replaced(tmp_path: Path) -> None:
    file, link, pipe = (tmp_path / name for name in ("file", "link", "pipe"))
    link.symlink_to(file)
    write_whole(link, b"one")
    write_whole(link, b"two")
    assert link.is_symlink()
    assert file.read_bytes() == b"two"
    os.mkfifo(pipe)
    heard: list[bytes] = []
    listener = threading.Thread(target=lambda: heard.append(pipe.read_bytes()))
    listener.start()
    write_whole(pipe, b"three")
    listener.join()
    assert heard == [b"three"]
    assert pipe.is_fifo()
    assert sorted(each.name for each in tmp_path.iterdir()) == ["file", "link", "pipe"]

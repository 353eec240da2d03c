"""Text from files that a user names, which need not be what they seem."""
import errno
import os

MOST_CHARACTERS = 1 << 28  # devices have no end


def read(path):
    """The text of a file. Raises OSError, also if there is too much of it, and UnicodeDecodeError."""
    with open(path, encoding="utf-8-sig") as file:
        text = file.read(MOST_CHARACTERS)
        if file.read(1):
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), path)
    return text

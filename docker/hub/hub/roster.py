"""Who is in the class, and their passwords.

A password is computed from the hub's secret key, the name and its number in the list. So nothing but the key is stored,
the sheet can be printed again, and another number gives another password.
"""

import base64
import hashlib
import hmac
import os
import re
import secrets
from pathlib import Path

ROSTER = Path("/etc/directions/class/students.txt")
KEY = Path("/srv/hub/passwords.key")
TEACHER = "teacher"
NAME = re.compile(r"[a-z][a-z0-9-]{0,30}")


def read_roster(path=ROSTER):
    """The names of the class with the numbers of their passwords; the teacher is always among them."""
    roster = {TEACHER: 1}
    for position, line in enumerate(path.read_text().splitlines(), 1):
        words = line.split("#")[0].split()
        if not words:
            continue
        name, number = words[0], words[1] if len(words) > 1 else "1"
        if not NAME.fullmatch(name) or not number.isdecimal() or len(words) > 2:
            raise ValueError(
                f"{path}, line {position}: {line!r} is no name; write a name of small letters, digits and hyphens, "
                "and after it, if you like, the number of the password"
            )
        if name in roster and name != TEACHER:
            raise ValueError(f"{path}, line {position}: {name} is there twice; give one of them another name")
        roster[name] = int(number)
    return roster


def make_key(path=KEY):
    """Makes the secret key where there is none."""
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return
    with os.fdopen(handle, "wb") as file:
        file.write(secrets.token_bytes(32))


def password(name, number, key):
    """The password of a name, as xxxxx-xxxxx: 50 bits, which nobody guesses through the login page."""
    digest = hmac.new(key, f"{name} {number}".encode(), hashlib.sha256).digest()
    text = base64.b32encode(digest)[:10].decode().lower()
    return f"{text[:5]}-{text[5:]}"


def read_passwords():
    """The password of every name of the class."""
    key = KEY.read_bytes()
    return {name: password(name, number, key) for name, number in read_roster().items()}

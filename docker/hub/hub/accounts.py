"""Lets in who has the password of the sheet."""

import hmac

from jupyterhub.auth import Authenticator
from roster import read_passwords, read_roster


class SheetAuthenticator(Authenticator):
    """Accounts are the names of the class. The list is read at each login, so that a change of it needs no restart."""

    async def authenticate(self, handler, data):
        """The name, if the password is the one of the sheet."""
        try:
            passwords = read_passwords()
        except (OSError, ValueError) as error:
            self.log.error("nobody can log in: %s", error)
            return None
        name = self.normalize_username(data["username"])
        typed = data["password"].strip().lower()
        if hmac.compare_digest(typed.encode(), passwords.get(name, "").encode()) and name in passwords:
            return name
        return None

    async def refresh_user(self, user, handler=None):
        """Whether somebody who is logged in is still in the class."""
        try:
            return user.name in read_roster()
        except (OSError, ValueError) as error:
            self.log.error("the class cannot be read, so it stays as it was: %s", error)
            return True

"""The command line: each file holds related commands. What is heavy to import, the command that needs it imports."""

from ludus.interfaces.cli.leaving import leaving_at_once

with leaving_at_once():
    from importlib import import_module
    from pkgutil import iter_modules

    from ludus.interfaces.cli.app import main

    for each in iter_modules(__path__, __name__ + "."):
        import_module(each.name)  # where commands join the application

__all__ = ["main"]

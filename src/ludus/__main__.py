"""`python -m ludus` is `ludus`."""

from ludus.interfaces.cli import main

main()

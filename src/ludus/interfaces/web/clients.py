"""Who asks: the visitor by the name in the cookie, the address, and what follows from both."""

import ipaddress
from contextvars import ContextVar
from typing import NamedTuple

UNKNOWN = "unknown"


class Client(NamedTuple):
    """Whoever sends a request. Cookies cost nothing, so what is bounded by visitor is bounded by address too."""

    visitor: str = ""
    address: str = UNKNOWN
    trusted: bool = True
    """May stop what others have started: sits at this machine, or the arena is open to nobody else."""
    teacher: bool = False
    """Has the teacher's token of a class."""

    def may_stop(self, owner: str) -> bool:
        return self.trusted or (bool(owner) and self.visitor == owner)


asking: ContextVar[Client] = ContextVar("asking", default=Client())  # noqa: B039 - a tuple never changes
"""Whose request is being answered; threads that think for it know it too."""


def network(address: str) -> str:
    """What counts as one address: in IPv6, where everybody has many, all of the same subscriber (/64)."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return UNKNOWN
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.ipv4_mapped:
            return str(parsed.ipv4_mapped)
        return str(ipaddress.ip_network((parsed, 64), strict=False))
    return str(parsed)


def is_loopback(host: str) -> bool:
    """Whether an address or name is this machine's own."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False

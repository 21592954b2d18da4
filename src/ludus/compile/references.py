"""Values that a kernel hands to its parts by their address.

Numba passes a NamedTuple by value: every number in it, and all seven parts of an array, are arguments of their own. A
small function that calls itself would spend more time on passing a game and a player on than on its work.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel import models
from numba.extending import register_model

from ludus.compile.jit import instruction

_INDEX = ir.IntType(32)


class _Reference(types.Type):  # type: ignore[misc]
    def __init__(self, kind: Any) -> None:
        super().__init__(f"Reference({kind})")
        self.referred = kind


@register_model(_Reference)
class _ReferenceModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, reference: Any) -> None:
        super().__init__(manager, reference, manager.lookup(reference.referred).get_value_type().as_pointer())


@instruction(lambda value: value)
def reference(context: Any, value: Any) -> Any:
    """The address of a copy of the value, valid until the kernel returns; whose arrays must be kept alive meanwhile."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return cgutils.alloca_once_value(builder, arguments[0])

    return _Reference(value)(value), generate


@instruction(lambda reference: reference)
def dereference(context: Any, reference: Any) -> Any:
    """The value at an address."""
    if not isinstance(reference, _Reference):
        return None

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        value = _loaded(builder, arguments[0])
        context.nrt.incref(builder, reference.referred, value)
        return value

    return reference.referred(reference), generate


def _loaded(builder: Any, address: Any) -> Any:
    """The value at an address, loaded number by number, so that the compiler can leave out those that nobody needs."""
    kind = address.type.pointee
    if not isinstance(kind, ir.Aggregate):
        return builder.load(address)
    value = ir.Constant(kind, ir.Undefined)
    for i in range(len(kind)):
        part = builder.gep(address, [_INDEX(0), _INDEX(i)], inbounds=True)
        value = builder.insert_value(value, _loaded(builder, part), i)
    return value

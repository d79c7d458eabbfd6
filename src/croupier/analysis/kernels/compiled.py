"""How a kernel is compiled: once, kept on disk, with its Python types, and run as plain Python on request.

Numba leaves a function as it is when NUMBA_DISABLE_JIT=1, which checks indexes and overflow in small tests. Division by
zero follows NumPy in compiled code, so kernels must not divide by zero at all.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

import numba

Kernel = TypeVar("Kernel", bound=Callable[..., object])


def compiled(function: Kernel) -> Kernel:
    """The same function as machine code."""
    return cast(Kernel, numba.njit(cache=True, error_model="numpy")(function))

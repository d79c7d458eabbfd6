"""How a kernel is compiled: once, kept on disk, with its Python types, and run as plain Python on request.

Numba leaves a function as it is when NUMBA_DISABLE_JIT=1, which checks indexes and overflow in small tests. Division by
zero follows NumPy in compiled code, so kernels must not divide by zero at all.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar, cast

import numba

Kernel = TypeVar("Kernel", bound=Callable[..., object])
COMPILER_VERSION: str = numba.__version__


def _look_for_blas_later() -> None:
    """Numba imports scipy.linalg with the first kernel it loads, only to see whether it could multiply matrices.

    That is a sixth of what a short command takes, and it asks again whenever a kernel really multiplies any.
    """
    from numba.np import linalg

    asks = linalg.ensure_blas
    linalg.ensure_blas = lambda: None
    try:
        import numba.np.arraymath  # noqa: F401
    finally:
        linalg.ensure_blas = asks


with suppress(ImportError, AttributeError):  # a version of Numba that is made otherwise is only slower to start
    _look_for_blas_later()
_njit: Any = numba.njit  # its types do not know `_nrt`, which leaves the counting of references out


def compiled(function: Kernel) -> Kernel:
    """The same function as machine code."""
    return cast(Kernel, numba.njit(cache=True, error_model="numpy")(function))


def unlocked(function: Kernel) -> Kernel:
    """Machine code that leaves Python's lock to others while it runs: threads may count side by side."""
    return cast(Kernel, numba.njit(cache=True, error_model="numpy", nogil=True)(function))


def bare(function: Kernel) -> Kernel:
    """Machine code that makes no arrays, and so need not count who holds which."""
    return cast(Kernel, _njit(cache=True, error_model="numpy", _nrt=False)(function))


def part(function: Kernel) -> Kernel:
    """A part of a bare kernel: it becomes one with its caller, so that whole tables can be handed to it for nothing."""
    return cast(Kernel, _njit(error_model="numpy", _nrt=False, forceinline=True)(function))


def inlined(function: Kernel) -> Kernel:
    """A small function for other kernels; it becomes part of them."""
    return cast(Kernel, numba.njit(inline="always", error_model="numpy")(function))

"""SQLite on the simulated disk: a file system for the very library that Python's `sqlite3` uses, so that the store's
own code, SQLite's log and its recovery run as they are, and only the disk under them is ours.

A file lies on the disk of its folder. Whoever opens it is the process of the simulation that is just doing something: a
file handle of a process that was killed reads and writes nothing any more, and holds no lock.
"""

from __future__ import annotations

import _sqlite3
import ctypes
from collections.abc import Callable
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_double, c_int, c_int64, c_void_p
from errno import ENOSPC
from itertools import count
from pathlib import PurePosixPath
from random import Random
from typing import Any, Protocol

from tests.simulation.disk import Disk, File

NAME = "simulated"
WRITING = 0
"""The slot of shared memory that whoever commits has locked."""
OK, BUSY, NOT_FOUND, FULL, CANNOT_OPEN = 0, 5, 12, 13, 14
READ_FAILED, SHORT_READ, WRITE_FAILED, SYNC_FAILED, CUT_FAILED = (10 | kind << 8 for kind in (1, 2, 3, 4, 6))
SHARED, RESERVED, PENDING, EXCLUSIVE = 1, 2, 3, 4
OPEN_CREATE, OPEN_DELETE_ON_CLOSE = 0x4, 0x8
SHM_UNLOCK, SHM_SHARED = 1, 4
POWERSAFE_OVERWRITE = 0x1000
"""What SQLite takes for granted of a disk: that a write of some bytes does not damage the bytes beside them."""


class Owner(Protocol):
    """A process of the simulation."""

    dead: bool

    def reach(self, what: str) -> None: ...

    def wait(self, seconds: float) -> None: ...


class Shared:
    """What the connections to one file share in memory: the index of its log, and locks."""

    def __init__(self) -> None:
        self.regions: list[Any] = []
        self.handles: list[Handle] = []
        self.mapped: list[Handle] = []


class Handle:
    def __init__(self, disk: Disk, name: str, file: File, owner: Owner, shared: Shared) -> None:
        self.disk, self.name, self.file, self.owner, self.shared = disk, name, file, owner, shared
        self.lock = 0
        self.slots: dict[int, bool] = {}
        """Locks on the index of the log, by place; whether it is the only one."""
        self.kept: list[Any] = []
        """Memory that its connection has seen, and may read until it is closed."""


class _Vfs(Structure):
    pass


class _File(Structure):
    pass


_XOpen = CFUNCTYPE(c_int, c_void_p, c_char_p, POINTER(_File), c_int, POINTER(c_int))
_XDelete = CFUNCTYPE(c_int, c_void_p, c_char_p, c_int)
_XAccess = CFUNCTYPE(c_int, c_void_p, c_char_p, c_int, POINTER(c_int))
_XFullPathname = CFUNCTYPE(c_int, c_void_p, c_char_p, c_int, c_void_p)
_XRandomness = CFUNCTYPE(c_int, c_void_p, c_int, c_void_p)
_XSleep = CFUNCTYPE(c_int, c_void_p, c_int)
_XCurrentTime = CFUNCTYPE(c_int, c_void_p, POINTER(c_double))
_XGetLastError = CFUNCTYPE(c_int, c_void_p, c_int, c_void_p)
_XCurrentTimeInt64 = CFUNCTYPE(c_int, c_void_p, POINTER(c_int64))
_OfFile = CFUNCTYPE(c_int, POINTER(_File))
_XReadWrite = CFUNCTYPE(c_int, POINTER(_File), c_void_p, c_int, c_int64)
_OfSize = CFUNCTYPE(c_int, POINTER(_File), c_int64)
_OfInt = CFUNCTYPE(c_int, POINTER(_File), c_int)
_XFileSize = CFUNCTYPE(c_int, POINTER(_File), POINTER(c_int64))
_XReserved = CFUNCTYPE(c_int, POINTER(_File), POINTER(c_int))
_XControl = CFUNCTYPE(c_int, POINTER(_File), c_int, c_void_p)
_XShmMap = CFUNCTYPE(c_int, POINTER(_File), c_int, c_int, c_int, POINTER(c_void_p))
_XShmLock = CFUNCTYPE(c_int, POINTER(_File), c_int, c_int, c_int)
_XShmBarrier = CFUNCTYPE(None, POINTER(_File))


class _Methods(Structure):
    _fields_ = (
        ("version", c_int),
        ("close", _OfFile),
        ("read", _XReadWrite),
        ("write", _XReadWrite),
        ("truncate", _OfSize),
        ("sync", _OfInt),
        ("file_size", _XFileSize),
        ("lock", _OfInt),
        ("unlock", _OfInt),
        ("check_reserved_lock", _XReserved),
        ("file_control", _XControl),
        ("sector_size", _OfFile),
        ("device_characteristics", _OfFile),
        ("shm_map", _XShmMap),
        ("shm_lock", _XShmLock),
        ("shm_barrier", _XShmBarrier),
        ("shm_unmap", _OfInt),
    )


_File._fields_ = (("methods", POINTER(_Methods)), ("handle", c_int64))
_Vfs._fields_ = (
    ("version", c_int),
    ("file_size", c_int),
    ("longest_path", c_int),
    ("next", c_void_p),
    ("name", c_char_p),
    ("app_data", c_void_p),
    ("open", _XOpen),
    ("delete", _XDelete),
    ("access", _XAccess),
    ("full_pathname", _XFullPathname),
    ("dl_open", c_void_p),
    ("dl_error", c_void_p),
    ("dl_sym", c_void_p),
    ("dl_close", c_void_p),
    ("randomness", _XRandomness),
    ("sleep", _XSleep),
    ("current_time", _XCurrentTime),
    ("get_last_error", _XGetLastError),
    ("current_time_int64", _XCurrentTimeInt64),
)


class FileSystem:
    """One for the whole process; the simulation that is running puts its disks in."""

    def __init__(self) -> None:
        self.disks: dict[str, Disk] = {}
        """By folder."""
        self.random = Random(0)
        self.owner: Callable[[], Owner]
        """Who is just doing something."""
        self.renamed: Callable[[str, str], None] = lambda folder, name: None
        """Told after a file was made or removed."""
        self.is_there: Callable[[str, str], bool] = lambda folder, name: True
        """Whether a file was not removed by somebody else than SQLite; whoever has it open has it still."""
        self.raised: BaseException | None = None
        """What was raised in the middle of SQLite's work, for whoever called it."""
        self._handles: dict[int, Handle] = {}
        self._numbers = count(1)
        self._shared: dict[tuple[str, str], Shared] = {}
        self._register()

    def forget(self, folder: str) -> None:
        """The machine has lost power, or the processes have ended: their locks and what they shared are gone."""
        for handle in self._handles.values():
            if self.disks.get(folder) is handle.disk:
                self._let_go(handle)
        for key in [key for key in self._shared if key[0] == folder]:
            del self._shared[key]

    def is_open(self, folder: str, name: str) -> bool:
        """Whether somebody has it open, and has looked into its log."""
        shared = self._shared.get((folder, name))
        return shared is not None and bool(shared.mapped)

    def release(self, owner: Owner) -> None:
        """A process has ended."""
        for handle in self._handles.values():
            if handle.owner is owner:
                self._let_go(handle)

    def _let_go(self, handle: Handle) -> None:
        handle.lock = 0
        handle.slots.clear()
        for handles in (handle.shared.handles, handle.shared.mapped):
            if handle in handles:
                handles.remove(handle)
        if not handle.shared.mapped:
            handle.shared.regions.clear()

    # As SQLite calls it

    def _guarded(self, failed: int, do: Callable[..., int]) -> Callable[..., int]:
        """Nothing can be raised through SQLite: it is kept, and SQLite hears of a failure."""

        def call(*args: Any) -> int:
            try:
                return do(*args)
            except BaseException as error:
                self.raised = self.raised or error
                return failed

        return call

    def _of(self, file: Any) -> Handle | None:
        """The handle, if its process lives."""
        handle = self._handles[file.contents.handle]
        return None if handle.owner.dead else handle

    def _open(self, _: int, name: bytes | None, file: Any, flags: int, out: Any) -> int:
        file.contents.methods = None
        owner = self.owner()
        if owner.dead or name is None:
            return CANNOT_OPEN
        path = PurePosixPath(name.decode())
        disk = self.disks.get(str(path.parent))
        if disk is not None and path.name in disk.files and not self.is_there(str(path.parent), path.name):
            disk.remove(path.name)
            self._shared.pop((str(path.parent), path.name), None)
        if disk is None or (path.name not in disk.files and not flags & OPEN_CREATE):
            return CANNOT_OPEN
        if path.name not in disk.files:
            if disk.full:
                return CANNOT_OPEN
            disk.make(path.name)
            self.renamed(str(path.parent), path.name)
        key = (str(path.parent), path.name)
        shared = self._shared.setdefault(key, Shared())
        number = next(self._numbers)
        handle = Handle(disk, path.name, disk.files[path.name], owner, shared)
        self._handles[number] = handle
        shared.handles.append(handle)
        file.contents.handle = number
        file.contents.methods = ctypes.pointer(self._methods)
        if out:
            out[0] = flags
        return OK

    def _delete(self, _: int, name: bytes, sync: int) -> int:
        path = PurePosixPath(name.decode())
        if self.owner().dead:
            return WRITE_FAILED
        self.owner().reach(f"remove {path.name}")
        disk = self.disks[str(path.parent)]
        if path.name in disk.files:
            disk.remove(path.name)
            self._shared.pop((str(path.parent), path.name), None)
            self.renamed(str(path.parent), path.name)
        if sync:
            disk.sync_folder()
        return OK

    def _access(self, _: int, name: bytes, __: int, out: Any) -> int:
        path = PurePosixPath(name.decode())
        disk = self.disks.get(str(path.parent))
        out[0] = int(disk is not None and path.name in disk.files)
        return OK

    def _full_pathname(self, _: int, name: bytes, length: int, out: int) -> int:
        ctypes.memmove(out, name + b"\0", min(len(name) + 1, length))
        return OK

    def _randomness(self, _: int, length: int, out: int) -> int:
        ctypes.memmove(out, self.random.randbytes(length), length)
        return length

    def _sleep(self, _: int, microseconds: int) -> int:
        self.owner().wait(microseconds / 1e6)
        return microseconds

    def _current_time(self, _: int, out: Any) -> int:
        out[0] = 2461360.5
        return OK

    def _current_time_int64(self, _: int, out: Any) -> int:
        out[0] = 212661547200000
        return OK

    def _close(self, file: Any) -> int:
        handle = self._handles.pop(file.contents.handle)
        self._let_go(handle)
        return OK

    def _read(self, file: Any, out: int, length: int, offset: int) -> int:
        handle = self._of(file)
        if handle is None:
            return READ_FAILED
        try:
            content = handle.disk.read(handle.file, offset, length)
        except OSError:
            return READ_FAILED
        if len(content) < length:
            ctypes.memmove(out, content + bytes(length - len(content)), length)
            return SHORT_READ
        ctypes.memmove(out, content, length)
        return OK

    def _write(self, file: Any, content: int, length: int, offset: int) -> int:
        handle = self._of(file)
        if handle is None:
            return WRITE_FAILED
        handle.owner.reach(f"write {handle.name}")
        try:
            handle.disk.write(handle.file, offset, ctypes.string_at(content, length))
        except OSError as error:
            return FULL if error.errno == ENOSPC else WRITE_FAILED
        return OK

    def _truncate(self, file: Any, size: int) -> int:
        handle = self._of(file)
        if handle is None:
            return CUT_FAILED
        handle.disk.cut(handle.file, size)
        return OK

    def _sync(self, file: Any, _: int) -> int:
        handle = self._of(file)
        if handle is None:
            return SYNC_FAILED
        handle.owner.reach(f"sync {handle.name}")
        try:
            handle.disk.sync(handle.file, self.random)
        except OSError:
            return SYNC_FAILED
        handle.disk.sync_folder()  # as Linux does with a file that is new
        return OK

    def _file_size(self, file: Any, out: Any) -> int:
        handle = self._of(file)
        if handle is None:
            return READ_FAILED
        out[0] = len(handle.file.data)
        return OK

    def _lock(self, file: Any, level: int) -> int:
        handle = self._of(file)
        if handle is None:
            return READ_FAILED
        others = max((other.lock for other in handle.shared.handles if other is not handle), default=0)
        if level <= handle.lock:
            return OK
        if level == SHARED:
            if others >= PENDING:
                return BUSY
        elif others >= RESERVED:
            return BUSY
        elif level == EXCLUSIVE and others:
            handle.lock = PENDING
            return BUSY
        handle.lock = level
        return OK

    def _unlock(self, file: Any, level: int) -> int:
        handle = self._of(file)
        if handle is not None:
            handle.lock = min(handle.lock, level)
        return OK

    def _check_reserved_lock(self, file: Any, out: Any) -> int:
        handle = self._of(file)
        out[0] = int(handle is not None and any(other.lock >= RESERVED for other in handle.shared.handles))
        return OK

    def _file_control(self, _: Any, __: int, ___: int) -> int:
        return NOT_FOUND

    def _sector_size(self, _: Any) -> int:
        return 4096

    def _device_characteristics(self, _: Any) -> int:
        return POWERSAFE_OVERWRITE

    def _shm_map(self, file: Any, region: int, size: int, extend: int, out: Any) -> int:
        handle = self._of(file)
        if handle is None:
            return READ_FAILED
        shared = handle.shared
        if handle not in shared.mapped:
            shared.mapped.append(handle)
        out[0] = None
        if region >= len(shared.regions):
            if not extend:
                return OK
            while region >= len(shared.regions):
                shared.regions.append(ctypes.create_string_buffer(size))
        handle.kept.append(shared.regions[region])
        out[0] = ctypes.addressof(shared.regions[region])
        return OK

    def _shm_lock(self, file: Any, offset: int, number: int, flags: int) -> int:
        handle = self._of(file)
        if handle is None:
            return READ_FAILED
        slots = range(offset, offset + number)
        if flags & SHM_UNLOCK:
            for slot in slots:
                handle.slots.pop(slot, None)
            return OK
        alone = not flags & SHM_SHARED
        if alone and offset == WRITING:  # whoever is about to commit has looked at everything else already
            handle.owner.reach(f"lock {handle.name} to write")
        for other in handle.shared.handles:
            if other is not handle and any(slot in other.slots and (alone or other.slots[slot]) for slot in slots):
                return BUSY
        for slot in slots:
            handle.slots[slot] = alone
        return OK

    def _shm_barrier(self, _: Any) -> None:
        pass

    def _shm_unmap(self, file: Any, _: int) -> int:
        handle = self._handles[file.contents.handle]
        if handle in handle.shared.mapped:
            handle.shared.mapped.remove(handle)
            if not handle.shared.mapped:
                handle.shared.regions.clear()
        return OK

    def _register(self) -> None:
        guarded = self._guarded
        self._methods = _Methods(
            2,
            _OfFile(guarded(READ_FAILED, self._close)),
            _XReadWrite(guarded(READ_FAILED, self._read)),
            _XReadWrite(guarded(WRITE_FAILED, self._write)),
            _OfSize(guarded(CUT_FAILED, self._truncate)),
            _OfInt(guarded(SYNC_FAILED, self._sync)),
            _XFileSize(guarded(READ_FAILED, self._file_size)),
            _OfInt(guarded(READ_FAILED, self._lock)),
            _OfInt(guarded(READ_FAILED, self._unlock)),
            _XReserved(guarded(READ_FAILED, self._check_reserved_lock)),
            _XControl(self._file_control),
            _OfFile(self._sector_size),
            _OfFile(self._device_characteristics),
            _XShmMap(guarded(READ_FAILED, self._shm_map)),
            _XShmLock(guarded(READ_FAILED, self._shm_lock)),
            _XShmBarrier(self._shm_barrier),
            _OfInt(guarded(READ_FAILED, self._shm_unmap)),
        )
        self._vfs = _Vfs(
            2,
            ctypes.sizeof(_File),
            512,
            None,
            NAME.encode(),
            None,
            _XOpen(guarded(CANNOT_OPEN, self._open)),
            _XDelete(guarded(WRITE_FAILED, self._delete)),
            _XAccess(guarded(READ_FAILED, self._access)),
            _XFullPathname(guarded(CANNOT_OPEN, self._full_pathname)),
            None,
            None,
            None,
            None,
            _XRandomness(self._randomness),
            _XSleep(guarded(0, self._sleep)),
            _XCurrentTime(self._current_time),
            _XGetLastError(lambda *_: OK),
            _XCurrentTimeInt64(self._current_time_int64),
        )
        library = ctypes.CDLL(_sqlite3.__file__)
        if library.sqlite3_vfs_register(ctypes.byref(self._vfs), 0) != OK:
            raise RuntimeError("SQLite does not take another file system.")

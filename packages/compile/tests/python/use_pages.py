"""Uses a module of copies of pages on a stub of libcuda, whose device memory is the host's: NumPy arrays stand for tensors."""
import collections
import ctypes
import os
import sys
import types

import numpy as np
from kv import kv

TOKENS, HEADS, HEAD = 4, 3, 8
PAGES = 6


class DeviceArray:
    """What CuPy's arrays say of themselves, over memory of NumPy's."""

    def __init__(self, array):
        self.array = array
        interface = array.__array_interface__
        self.__cuda_array_interface__ = {name: interface[name] for name in ("shape", "typestr", "data", "strides")}


class Tensor:
    """What torch's tensors of bf16 say of themselves: an attribute that throws, and DLPack."""

    def __init__(self, array):
        self.array = array

    @property
    def __cuda_array_interface__(self):
        raise TypeError("no bfloat16 in __cuda_array_interface__")

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def __dlpack__(self, stream=None):
        return self.array.__dlpack__()


def pool(seed):
    return (np.arange(PAGES * TOKENS * HEADS * HEAD) * 7 + seed).astype(np.uint8).reshape(PAGES, TOKENS, HEADS, HEAD)


def ran(wrap, dtype, layers=2):
    sources, targets = [pool(layer) for layer in range(layers)], [np.zeros((PAGES, HEADS, TOKENS, HEAD), np.uint8) for _ in range(layers)]
    read, written = np.array([5, 0, -1, 3], dtype), np.array([1, 4, 2, -1], dtype)
    kv.copy([wrap(each) for each in sources], [wrap(each) for each in targets], wrap(read), wrap(written))
    kv.check()
    for source, target in zip(sources, targets):
        expected = np.zeros_like(target)
        expected[1], expected[4] = source[5].transpose(1, 0, 2), source[0].transpose(1, 0, 2)
        assert (target == expected).all()


for wrap in (DeviceArray, Tensor):
    for dtype in (np.int32, np.int64):
        ran(wrap, dtype)
ran(DeviceArray, np.int32, layers=70)  # more pools than a launch has records

# One pool, a count in memory, pages of a strided view, an address, and words of a byte where nothing is aligned.
source, target = pool(9), np.zeros((PAGES, HEADS, TOKENS, HEAD), np.uint8)
count = DeviceArray(np.array([1], np.uint32))
tables = [DeviceArray(np.array(pages, np.int32)) for pages in ([2, 3], [0, 1])]
kv.copy(DeviceArray(source), DeviceArray(target), *tables, count=count)
assert (target[0] == source[2].transpose(1, 0, 2)).all() and not target[1:].any()
kv.copy(DeviceArray(source), DeviceArray(target), *tables, count=2)
assert (target[1] == source[3].transpose(1, 0, 2)).all() and not target[2:].any()
room = np.zeros(2 * source.nbytes + 1, np.uint8)
wide = room[1:].reshape(PAGES, 2, *source.shape[1:])
wide[:, 1] = source
kv.copy(DeviceArray(wide[:, 1]), DeviceArray(target), *tables)
assert (target[1] == source[3].transpose(1, 0, 2)).all()
page = source[0].nbytes
kv.copy(source.ctypes.data, target.ctypes.data, *tables, source_stride=page, target_stride=page)
assert (target[0] == source[2].transpose(1, 0, 2)).all()

# Pools that are bound once, for tables of both kinds, counts that change and addresses that are read when the copy runs.
sources, targets = [pool(layer) for layer in range(5)], [np.zeros((PAGES, HEADS, TOKENS, HEAD), np.uint8) for _ in range(5)]
sources[3] = sources[3][:4]  # a pool of fewer pages is a launch of its own, with its own bounds
bound = kv.bind([DeviceArray(each) for each in sources], [DeviceArray(each) for each in targets])
for dtype, pages, count in ((np.int32, (1, 3), None), (np.int64, (2, 0), None), (np.int32, (3, 1, 2), 2), (np.int32, (0,), None)):
    for target in targets:
        target[:] = 0
    moved = len(pages) if count is None else count
    bound.copy(*(DeviceArray(np.array(each, dtype)) for each in (pages, pages[::-1])), count=count)
    for source, target in zip(sources, targets):
        expected = np.zeros_like(target)
        for read, written in zip(pages[:moved], pages[::-1][:moved]):
            expected[written] = source[read].transpose(1, 0, 2)
        assert (target == expected).all(), (dtype, pages)
kv.check()
bound.copy(DeviceArray(np.array([5], np.int32)), DeviceArray(np.array([0], np.int32)))
try:
    kv.check()
    raise AssertionError("page 5 of a pool of 4: expected an error, got none")
except IndexError as error:
    assert "entry 0 of a page table" in str(error)

# The current stream of the library that the first pool is of; torch's tensors say where they lie without DLPack.
launched = []
torch = types.ModuleType("torch")
torch.cuda = types.SimpleNamespace(current_stream=lambda: launched.append(7) or types.SimpleNamespace(cuda_stream=7))
sys.modules["torch"] = torch
Tensor.__module__ = "torch"
kv.copy(Tensor(source), Tensor(target), *tables)
assert launched == [7]


Dtype, DTYPES = collections.namedtuple("Dtype", "name is_floating_point is_complex"), {}


class TorchTensor:
    """What torch's tensors say of themselves, over memory of NumPy's; on the device, or not."""

    is_cuda = True

    def __init__(self, array):
        self.array, self.shape = array, array.shape
        kind = array.dtype.kind
        self.dtype = DTYPES.setdefault(array.dtype.str, Dtype(array.dtype.str, kind == "f", kind == "c"))

    def data_ptr(self):
        return self.array.ctypes.data

    def element_size(self):
        return self.array.itemsize

    def is_contiguous(self):
        return self.array.flags.c_contiguous

    def numel(self):
        return self.array.size

    def stride(self):
        return tuple(each // self.array.itemsize for each in self.array.strides)


TorchTensor.__module__ = "torch"
torch.Tensor = TorchTensor
torch.cuda.current_device = lambda: 3
torch._C = types.SimpleNamespace(_cuda_getCurrentRawStream=lambda device: launched.append(device) or 7)
for dtype in (np.int32, np.int64):
    ran(TorchTensor, dtype)
wide[:] = 0
wide[:, 1] = source
target[:] = 0
kv.copy(TorchTensor(wide[:, 1]), TorchTensor(target), *tables)
assert (target[0] == source[2].transpose(1, 0, 2)).all() and (target[1] == source[3].transpose(1, 0, 2)).all()
assert launched == [7, 3, 3, 3]


def refused(kind, text, call):
    try:
        call()
    except kind as error:
        assert text in str(error), str(error)
        return
    raise AssertionError(f"not refused: {text}")


one, outside = DeviceArray(np.array([1], np.int32)), DeviceArray(np.array([PAGES], np.int32))
before = target.copy()
kv.copy(DeviceArray(source), DeviceArray(target), outside, one)
refused(IndexError, "entry 0 of a page table: expected a page within its pool", kv.check)
kv.check()
assert (target == before).all()
refused(ValueError, "target: expected 1 pools, as its source, got 2", lambda: kv.copy(DeviceArray(source), [DeviceArray(target)] * 2, one, one))
refused(ValueError, "source pages: expected an array of integers", lambda: kv.copy(DeviceArray(source), DeviceArray(target), DeviceArray(np.zeros(1, np.float32)), one))
refused(ValueError, "page tables: expected integers of one size, got 32 and 64 bits", lambda: kv.copy(DeviceArray(source), DeviceArray(target), one, DeviceArray(np.array([1], np.int64))))
refused(ValueError, "count: expected from 0 to 1, as the tables have entries, got 2", lambda: kv.copy(DeviceArray(source), DeviceArray(target), one, one, count=2))
refused(ValueError, "source: expected a tensor, an array or an address, got str", lambda: kv.copy("pool", DeviceArray(target), one, one))
refused(ValueError, "target pages: expected an array of integers", lambda: kv.copy(DeviceArray(source), DeviceArray(target), one, TorchTensor(np.zeros(1, np.float32))))
refused(ValueError, "source stride: expected bytes, of pools that are addresses, got none", lambda: kv.copy(source.ctypes.data, DeviceArray(target), one, one))
os.environ["STUB_PAGEABLE"] = str(source.ctypes.data)
ctypes.CDLL(None).setenv(b"STUB_PAGEABLE", os.environ["STUB_PAGEABLE"].encode(), 1)
TorchTensor.is_cuda = False
for wrap in (Tensor, TorchTensor):
    refused(ValueError, "source: expected device memory, or pinned memory of the host, got pageable memory: pin it", lambda: kv.copy(wrap(source), DeviceArray(target), one, one))
print("done")

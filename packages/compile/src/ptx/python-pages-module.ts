import { LAUNCH_FORMAT, TABLED_RECORD, type PageKernel, type PageSide } from "@stowage/backend-cuda-generic";
import { pythonRecords } from "../formats/python-records.js";
import type { CompiledPages } from "./compiled-pages.js";
import { PYTHON_CHECKS, PYTHON_LOADING, PYTHON_RECORDS } from "./python-launch.js";

const { header, node } = LAUNCH_FORMAT;

const HEAD = `"""Written by stowage compile: copies pages between pools, such as those of paged key and value caches, by tables.

Each object copies one kind of page: \`copy(sources, targets, source_pages, target_pages)\` copies page source_pages[k] of each
source pool to page target_pages[k] of its target pool, all pools in one launch or a few. Pools and tables are what has
__dlpack__ or __cuda_array_interface__: tensors of torch, arrays of CuPy; or integers, addresses. Memory of the host must be
pinned. Tables are of 32-bit or 64-bit integers; an entry of -1 leaves its page. Work goes to the current stream of torch or of
CuPy, whichever the first pool is of, unless \`stream\` says otherwise (the address of a CUstream).
"""
import base64
import ctypes
import sys

_CUDA = ctypes.CDLL("libcuda.so.1")
${pythonRecords({ header, node, transfer: TABLED_RECORD })}


${PYTHON_CHECKS}

class _Tensor(ctypes.Structure):
    """What DLPack says of a tensor (dlpack.h: DLTensor, the first member of what a capsule holds)."""

    _fields_ = [
        ("data", ctypes.c_void_p), ("device", ctypes.c_int32), ("ordinal", ctypes.c_int32), ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


_CPU, _PINNED = 1, 3
_POINTER_OF = ctypes.pythonapi.PyCapsule_GetPointer
_POINTER_OF.restype, _POINTER_OF.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)


class _Memory:
    """Where an array lies, how far it reaches, and what tells its elements apart."""

    def __init__(self, value, name):
        if isinstance(value, int):
            self.address, self.nbytes, self.itemsize, self.kind, self.page, self.holder = value, None, None, None, None, None
            return
        self.holder = value
        interface = self._interface(value)
        if interface is not None:
            self.address, shape, strides = interface["data"][0], interface["shape"], interface.get("strides")
            self.kind, self.itemsize = interface["typestr"][1], int(interface["typestr"][2:])
        else:
            _require(hasattr(value, "__dlpack__"), name, "a tensor, an array or an address", type(value).__name__)
            # The capsule is not taken: it lets go of the tensor when this returns, which the caller holds.
            capsule = self._capsule(value)
            tensor = _Tensor.from_address(_POINTER_OF(capsule, b"dltensor"))
            self.address = (tensor.data or 0) + tensor.byte_offset
            self.itemsize, self.kind = tensor.bits * tensor.lanes // 8, "iuf"[tensor.code] if tensor.code < 3 else "V"
            shape = tuple(tensor.shape[i] for i in range(tensor.ndim))
            strides = None
            if tensor.strides:
                strides = tuple(tensor.strides[i] * self.itemsize for i in range(tensor.ndim))
            if tensor.device in (_CPU, _PINNED):
                self.address = _reached(self.address, name)
        self._measure(shape, strides, name)

    @staticmethod
    def _interface(value):
        # torch has the attribute for every tensor: of those that it does not tell of, getting it throws.
        try:
            return getattr(value, "__cuda_array_interface__", None)
        except Exception:
            return None

    @staticmethod
    def _capsule(value):
        # -1: no stream waits for another; the copy is ordered by the stream that it is sent to.
        if value.__dlpack_device__()[0] == _CPU:
            return value.__dlpack__()
        return value.__dlpack__(stream=-1)

    def _measure(self, shape, strides, name):
        """Bytes from the first to behind the last; of a page, what the first dimension steps by."""
        if strides is None:
            self.nbytes = self.itemsize
            for extent in shape:
                self.nbytes *= extent
            self.page = self.nbytes // shape[0] if len(shape) > 0 and shape[0] > 0 else self.nbytes
            self.dense = True
            return
        _require(all(stride >= 0 for stride in strides), name, "strides of 0 or more", strides)
        empty = 0 in shape
        self.nbytes = 0 if empty else self.itemsize + sum((n - 1) * stride for n, stride in zip(shape, strides))
        self.page = strides[0] if len(shape) > 0 else self.nbytes
        expected = self.itemsize
        self.dense = True
        for n, stride in reversed(list(zip(shape, strides))):
            self.dense = self.dense and (stride == expected or n <= 1)
            expected *= n

    def stream(self):
        module = type(self.holder).__module__.split(".")[0]
        if module == "torch" and "torch" in sys.modules:
            return sys.modules["torch"].cuda.current_stream().cuda_stream
        if module == "cupy" and "cupy" in sys.modules:
            return sys.modules["cupy"].cuda.get_current_stream().ptr
        return 0


_DEVICE_POINTER = 3


def _reached(address, name):
    """The address by which kernels reach memory of the host."""
    found = ctypes.c_uint64()
    result = _CUDA.cuPointerGetAttribute(ctypes.byref(found), _DEVICE_POINTER, ctypes.c_uint64(address))
    _require(result == 0, name, "device memory, or pinned memory of the host", "pageable memory: pin it")
    return found.value


${PYTHON_LOADING}

class _Kernel:
    """The function of one kernel's text, loaded when it is first launched."""

    def __init__(self, entry, ptx, pieces, pieces_per_block):
        self.entry, self.ptx, self.pieces, self.pieces_per_block = entry, ptx, pieces, pieces_per_block
        self._function = None

    def function(self):
        if self._function is None:
            self._function = _loaded(self.ptx, self.entry)
        return self._function


${PYTHON_RECORDS}

def _listed(value):
    return list(value) if isinstance(value, (list, tuple)) else [value]


class Pages:
    """Copies one kind of page."""

    def __init__(self, facts, kernels, source, target, lookaside):
        self.__dict__.update(facts)
        self._kernels, self._starts = kernels, (source[1], target[1])
        self._nodes = [base64.b64decode(side[0]) for side in (source, target)]
        self._lookaside, self._uploaded, self._fault = base64.b64decode(lookaside), None, None

    def _tables(self):
        if self._uploaded is None:
            self._uploaded = _uploaded(self._lookaside)
        return self._uploaded

    def _fault_word(self):
        if self._fault is None:
            address = ctypes.c_void_p()
            taken = _CUDA.cuMemHostAlloc(ctypes.byref(address), ctypes.c_size_t(8), ctypes.c_uint(2))
            _must(taken, "cuMemHostAlloc")
            word = ctypes.c_uint64.from_address(address.value)
            word.value = 0
            self._fault = (word, _reached(address.value, "word of faults"))
        return self._fault

    def check(self):
        """Throws where a copy that is over met an entry that leads outside its pool, which it left; tells of it once."""
        if self._fault is None or self._fault[0].value == 0:
            return
        entry = self._fault[0].value - 1
        self._fault[0].value = 0
        raise IndexError(f"entry {entry} of a page table: expected a page within its pool, got one outside, which was left")

    def copy(self, sources, targets, source_pages, target_pages, count=None, source_stride=None, target_stride=None,
             stream=None):
        """Copies pages. \`sources\` and \`targets\`: a pool, or a list of as many on both sides. Strides: bytes from a page to the
        next (default: a step of the first dimension). \`count\`: how many entries (default: all), or an array that holds the number
        as a 32-bit integer when the copy runs. Throws ValueError for what can be no copy, and what check() does of one before."""
        self.check()
        pools = [[_Memory(pool, name) for pool in _listed(given)] for name, given in (("source", sources), ("target", targets))]
        _require(len(pools[0]) > 0, "source", "one pool or more", 0)
        _require(len(pools[1]) == len(pools[0]), "target", f"{len(pools[0])} pools, as its source", len(pools[1]))
        strides = [self._stride(side, given, name) for side, given, name in
                   ((pools[0], source_stride, "source"), (pools[1], target_stride, "target"))]
        tables = [_Memory(given, name) for given, name in ((source_pages, "source pages"), (target_pages, "target pages"))]
        index, entries, held = self._index(tables, count)
        if entries == 0:
            return
        if stream is None:
            stream = pools[0][0].stream()
        for first in range(0, len(pools[0]), self.most_pools):
            some = [side[first:first + self.most_pools] for side in pools]
            self._launch(some, strides, tables, index, entries, held, stream)

    def _stride(self, pools, given, name):
        stride = pools[0].page if given is None else given
        _require(stride is not None, f"{name} stride", "bytes, of pools that are addresses", "none")
        _require(given is not None or all(pool.page == stride for pool in pools), f"{name} stride", "one for all pools", "others")
        _require(stride != 0, f"{name} stride", "a number other than 0", stride)
        return stride

    def _index(self, tables, count):
        """Kind of the tables' entries, how many there are, and where their number lies."""
        sizes = [table.itemsize for table in tables]
        for table, name in zip(tables, ("source pages", "target pages")):
            _require(table.nbytes is not None and table.kind in "iu", name, "an array of integers", "another")
            _require(table.itemsize in (4, 8) and table.dense, name, "32-bit or 64-bit integers side by side", "others")
        _require(sizes[0] == sizes[1], "page tables", "integers of one size", f"{8 * sizes[0]} and {8 * sizes[1]} bits")
        entries = min(table.nbytes // table.itemsize for table in tables)
        if count is None or not isinstance(count, int):
            held = 0 if count is None else _Memory(count, "count").address
            return "u32" if sizes[0] == 4 else "i64", entries, held
        _require(0 <= count <= entries, "count", f"from 0 to {entries}, as the tables have entries", count)
        return "u32" if sizes[0] == 4 else "i64", count, 0

    def _bounds(self, pool, stride, side):
        """The entries whose pages lie within a pool."""
        if pool.nbytes is None:
            return 0, (1 << 62)
        low, high = -self.true_lower_bound[side], pool.nbytes - self.true_lower_bound[side] - self.true_extent[side]
        ends = (low, high) if stride > 0 else (high, low)
        return -(-ends[0] // stride), ends[1] // stride

    def _launch(self, pools, strides, tables, index, entries, held, stream):
        aligned = 0
        for side in (0, 1):
            aligned |= strides[side]
            for pool in pools[side]:
                aligned |= pool.address + self._starts[side]
        kernel = next(each for word, each in self._kernels[index, held != 0] if aligned % word == 0)
        tiles = -(-entries * kernel.pieces // kernel.pieces_per_block)
        nodes_at = _HEADER_BYTES + max(2, len(pools[0])) * _TRANSFER_BYTES
        target_at = nodes_at + len(self._nodes[0])
        block = bytearray(self.plan_bytes + 8)
        nodes = _relocated(self._nodes[0], nodes_at) + _relocated(self._nodes[1], target_at)
        block[nodes_at:nodes_at + len(nodes)] = nodes
        _put(block, 0, _HEADER, lookaside=self._tables(), transfers=len(pools[0]), tiles=tiles * len(pools[0]))
        # A second record says how many tiles a pool has, though there be no second pool.
        _put(block, _HEADER_BYTES + _TRANSFER_BYTES, _TRANSFER, firstTile=tiles)
        for i, (source, target) in enumerate(zip(*pools)):
            bounds = [self._bounds(pool, strides[side], side) for side, pool in enumerate((source, target))]
            _put(block, _HEADER_BYTES + i * _TRANSFER_BYTES, _TRANSFER, firstTile=i * tiles,
                 sourceNode=nodes_at + _NODE_BYTES, targetNode=target_at + _NODE_BYTES, pieces=kernel.pieces,
                 source=source.address + self._starts[0], target=target.address + self._starts[1], sizeBytes=self.size,
                 firstByte=0, endByte=entries * self.size, firstElement=0, elements=entries, count=held,
                 sourceTable=tables[0].address, targetTable=tables[1].address,
                 sourceStride=strides[0], targetStride=strides[1],
                 sourceLeast=bounds[0][0], sourceMost=bounds[0][1], targetLeast=bounds[1][0], targetMost=bounds[1][1])
        block[self.plan_bytes:] = self._fault_word()[1].to_bytes(8, "little")
        held_block, size = ctypes.create_string_buffer(bytes(block), len(block)), ctypes.c_size_t(len(block))
        extra = (ctypes.c_void_p * 5)(1, ctypes.addressof(held_block), 2, ctypes.addressof(size), None)
        shape = [ctypes.c_uint(n) for n in (tiles * len(pools[0]), 1, 1, self.threads, 1, 1, 0)]
        _must(_CUDA.cuLaunchKernel(kernel.function(), *shape, ctypes.c_void_p(stream), None, extra), "cuLaunchKernel")


`;

/** A module of ctypes over the driver alone. */
export function pythonPagesModule({ symbol, facts, code }: CompiledPages): string {
  const { kernels, source, target, lookaside, threads, planBytes, mostPools } = code;
  const texts = kernels.map(
    ({ entry, ptx, pieces, piecesPerBlock }, i) =>
      `_kernel_${i} = _Kernel("${entry}", """${ptx}""", ${pieces}, ${piecesPerBlock})`,
  );
  const { sizeBytes, trueLowerBounds, trueExtents, sourceDocument, targetDocument } = facts;
  const values = [
    `    "size": ${sizeBytes}, "threads": ${threads}, "plan_bytes": ${planBytes}, "most_pools": ${mostPools},`,
    `    "true_lower_bound": (${trueLowerBounds.join(", ")}), "true_extent": (${trueExtents.join(", ")}),`,
    `    "source_document": ${sourceDocument},`,
    `    "target_document": ${targetDocument},`,
  ];
  const side = ({ nodes, startBytes }: PageSide) => `("${Buffer.from(nodes).toString("base64")}", ${startBytes})`;
  const last = `${kernelsText(kernels)}, ${side(source)}, ${side(target)}, "${Buffer.from(lookaside).toString("base64")}"`;
  return `${HEAD}${texts.join("\n")}\n${symbol} = Pages({\n${values.join("\n")}\n}, ${last})\n`;
}

/** By kind of entries and whether their number lies in memory: kernels of the widest words first. */
function kernelsText(kernels: readonly PageKernel[]): string {
  const groups = (["u32", "i64"] as const).flatMap((index) =>
    [false, true].map((counted) => {
      const own = kernels.flatMap((kernel, i) =>
        kernel.index === index && kernel.counted === counted ? [`(${kernel.wordBytes}, _kernel_${i})`] : [],
      );
      return `("${index}", ${counted ? "True" : "False"}): [${own.join(", ")}]`;
    }),
  );
  return `{${groups.join(", ")}}`;
}

import { LAUNCH_FORMAT, TABLED_FORMAT, type PageKernel, type PageSide } from "@stowage/backend-cuda-generic";
import { pythonRecords } from "../formats/python-records.js";
import type { CompiledPages } from "./compiled-pages.js";
import { PYTHON_CHECKS, PYTHON_LOADING, PYTHON_RECORDS } from "./python-launch.js";

const { header, node } = LAUNCH_FORMAT;

const HEAD = `"""Written by stowage compile: copies pages between pools, such as those of paged key and value caches, by tables.

Each object copies one kind of page: \`copy(sources, targets, source_pages, target_pages)\` copies page source_pages[k] of each
source pool to page target_pages[k] of its target pool, all pools in one launch or a few. \`bind(sources, targets)\` does once
what pools alone decide: its \`copy(source_pages, target_pages)\` writes the tables' places and launches. Pools and tables are what has
__dlpack__ or __cuda_array_interface__: tensors of torch, arrays of CuPy; or integers, addresses. Memory of the host must be
pinned. Tables are of 32-bit or 64-bit integers; an entry of -1 leaves its page. Work goes to the current stream of torch or of
CuPy, whichever the first pool is of, unless \`stream\` says otherwise (the address of a CUstream).
"""
import base64
import ctypes
import struct
import sys
import threading

_CUDA = ctypes.CDLL("libcuda.so.1")
${pythonRecords({ header, node, group: TABLED_FORMAT.group, place: TABLED_FORMAT.place })}


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
_LAUNCH = _CUDA.cuLaunchKernel
_LAUNCH.argtypes = [ctypes.c_void_p] + 7 * [ctypes.c_uint] + 3 * [ctypes.c_void_p]
_POINTER_OF = ctypes.pythonapi.PyCapsule_GetPointer
_POINTER_OF.restype, _POINTER_OF.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)


class _Memory:
    """Where an array lies, how far it reaches, and what tells its elements apart."""

    def __init__(self, value, name):
        if isinstance(value, int):
            self.address, self.nbytes, self.itemsize, self.kind, self.page, self.holder = value, None, None, "", None, None
            self.dense = False
            return
        self.holder = value
        if _is_torch(value):
            return self._of_torch(value, name)
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

    def _of_torch(self, value, name):
        """What DLPack would say, without a capsule."""
        self.address, (self.kind, self.itemsize) = value.data_ptr(), _torch_kind(value)
        if not value.is_cuda:
            self.address = _reached(self.address, name)
        shape = value.shape
        if not value.is_contiguous():
            return self._measure(shape, tuple(stride * self.itemsize for stride in value.stride()), name)
        self.nbytes = self.page = value.numel() * self.itemsize
        self.dense = True
        if len(shape) > 0 and shape[0] > 0:
            self.page //= shape[0]

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


_TORCH, _TORCH_KINDS = {}, {}


def _is_torch(value):
    """Whether it is a tensor of torch: asked once for each type there is."""
    found = _TORCH.get(type(value))
    if found is None:
        torch = sys.modules.get("torch")
        found = torch is not None and isinstance(value, getattr(torch, "Tensor", ()))
        if torch is not None:
            _TORCH[type(value)] = found
    return found


def _torch_kind(tensor):
    """A letter as in __cuda_array_interface__, and bytes of an element."""
    dtype = tensor.dtype
    found = _TORCH_KINDS.get(dtype)
    if found is None:
        kind = "f" if dtype.is_floating_point else "c" if dtype.is_complex else "i"
        found = _TORCH_KINDS[dtype] = (kind, tensor.element_size())
    return found


def _stream_source(pools):
    """What gives the current stream of the library that the first pool is of."""
    holder = pools[0].holder
    module = type(holder).__module__.split(".")[0]
    if module == "torch" and "torch" in sys.modules:
        torch = sys.modules["torch"]
        # Triton launches on what this gives: it makes no object of a stream.
        raw = getattr(getattr(torch, "_C", None), "_cuda_getCurrentRawStream", None)
        if raw is None:
            return lambda: torch.cuda.current_stream().cuda_stream
        return lambda: raw(torch.cuda.current_device())
    if module == "cupy" and "cupy" in sys.modules:
        return lambda: sys.modules["cupy"].cuda.get_current_stream().ptr
    return lambda: 0


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
        self._templates = {}

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
        self.bind(sources, targets, source_stride, target_stride).copy(source_pages, target_pages, count, stream)

    def bind(self, sources, targets, source_stride=None, target_stride=None):
        """Pools that stay where they are, for copies by many tables: what copy() is given of them. It holds the pools."""
        pools = [[_Memory(pool, name) for pool in _listed(given)] for name, given in (("source", sources), ("target", targets))]
        _require(len(pools[0]) > 0, "source", "one pool or more", 0)
        _require(len(pools[1]) == len(pools[0]), "target", f"{len(pools[0])} pools, as its source", len(pools[1]))
        strides = [self._stride(side, given, name) for side, given, name in
                   ((pools[0], source_stride, "source"), (pools[1], target_stride, "target"))]
        return Bound(self, pools, strides)

    def _stride(self, pools, given, name):
        stride = pools[0].page if given is None else given
        _require(stride is not None, f"{name} stride", "bytes, of pools that are addresses", "none")
        _require(given is not None or all(pool.page == stride for pool in pools), f"{name} stride", "one for all pools", "others")
        _require(stride != 0, f"{name} stride", "a number other than 0", stride)
        return stride

    def _bounds(self, pool, stride, side):
        """The entries whose pages lie within a pool."""
        if pool.nbytes is None:
            return 0, (1 << 62)
        low, high = -self.true_lower_bound[side], pool.nbytes - self.true_lower_bound[side] - self.true_extent[side]
        ends = (low, high) if stride > 0 else (high, low)
        return -(-ends[0] // stride), ends[1] // stride

    def _template(self, kernel, pools):
        """The parameters of a launch of so many pools, but for where they lie, their bounds and tables."""
        made = self._templates.get((kernel, pools))
        if made is None:
            places_at = _HEADER_BYTES + _GROUP_BYTES
            source_at = places_at + pools * _PLACE_BYTES
            target_at = source_at + len(self._nodes[0])
            block = bytearray(self.plan_bytes) + self._fault_word()[1].to_bytes(8, "little")
            nodes = _relocated(self._nodes[0], source_at) + _relocated(self._nodes[1], target_at)
            block[source_at:source_at + len(nodes)] = nodes
            _put(block, 0, _HEADER, lookaside=self._tables(), transfers=1)
            _put(block, _HEADER_BYTES, _GROUP, places=places_at, pieces=kernel.pieces, sizeBytes=self.size,
                 sourceNode=source_at + _NODE_BYTES, targetNode=target_at + _NODE_BYTES)
            made = self._templates[kernel, pools] = bytes(block)
        return made

    def _launches(self, pools, strides, kernel):
        """One for each run of pools that fits a launch and shares bounds."""
        found, first = [], 0
        bounds = [tuple(self._bounds(pool, strides[side], side) for side, pool in enumerate(pair)) for pair in zip(*pools)]
        while first < len(bounds):
            end = first + 1
            while end < len(bounds) and end - first < self.most_pools and bounds[end] == bounds[first]:
                end += 1
            found.append(_Launch(self, [side[first:end] for side in pools], strides, bounds[first], kernel))
            first = end
        return found


class Bound:
    """Copies between pools that were bound."""

    def __init__(self, pages, pools, strides):
        self._pages, self._pools, self._strides, self._stream = pages, pools, strides, _stream_source(pools[0])
        self._aligned = 0
        for side in (0, 1):
            self._aligned |= strides[side]
            for pool in pools[side]:
                self._aligned |= pool.address + pages._starts[side]
        self._made, self._lock = {}, threading.Lock()

    def copy(self, source_pages, target_pages, count=None, stream=None):
        """Copies pages by these tables; as that of what bound the pools."""
        self._pages.check()
        source, target = _Memory(source_pages, "source pages"), _Memory(target_pages, "target pages")
        size = source.itemsize
        if not (source.dense and target.dense and size == target.itemsize and size in (4, 8) and source.kind in "iu" and target.kind in "iu"):
            self._refuse(source, target)
        entries, held = min(source.nbytes, target.nbytes) // size, 0
        if isinstance(count, int):
            _require(0 <= count <= entries, "count", f"from 0 to {entries}, as the tables have entries", count)
            entries = count
        elif count is not None:
            held = _Memory(count, "count").address
        if entries == 0:
            return
        if stream is None:
            stream = self._stream()
        with self._lock:
            for launch in self._launches("u32" if size == 4 else "i64", held != 0):
                launch.send(entries, held, source.address, target.address, stream)

    @staticmethod
    def _refuse(source, target):
        for table, name in ((source, "source pages"), (target, "target pages")):
            _require(table.nbytes is not None and table.kind in "iu", name, "an array of integers", "another")
            _require(table.itemsize in (4, 8) and table.dense, name, "32-bit or 64-bit integers side by side", "others")
        bits = f"{8 * source.itemsize} and {8 * target.itemsize} bits"
        _require(source.itemsize == target.itemsize, "page tables", "integers of one size", bits)

    def _launches(self, index, counted):
        made = self._made.get((index, counted))
        if made is None:
            kernel = next(each for word, each in self._pages._kernels[index, counted] if self._aligned % word == 0)
            made = self._made[index, counted] = self._pages._launches(self._pools, self._strides, kernel)
        return made


class _Launch:
    """A kernel with its packed parameters, in which pools and layouts stand: a copy writes its tables, and sends it."""

    # Fields that follow each other in a record of a group, or stand alone.
    _TABLES, _TABLES_AT = struct.Struct("<3q"), _HEADER_BYTES + _GROUP["count"][0]
    _REACH, _REACH_AT = struct.Struct("<6q"), _HEADER_BYTES + _GROUP["sourceStride"][0]
    _WORD, _LONG_WORD = struct.Struct("<I"), struct.Struct("<q")

    def __init__(self, pages, pools, strides, bounds, kernel):
        self._kernel, self._pools, self._page_bytes, self._threads = kernel, len(pools[0]), pages.size, pages.threads
        self._entries, self._tiles = 0, 0
        block = self._block = ctypes.create_string_buffer(pages._template(kernel, self._pools), pages.plan_bytes + 8)
        self._REACH.pack_into(block, self._REACH_AT, strides[0], strides[1], *bounds[0], *bounds[1])
        read, written = pages._starts
        places = [each for source, target in zip(*pools) for each in (source.address + read, target.address + written)]
        struct.pack_into(f"<{len(places)}q", block, _HEADER_BYTES + _GROUP_BYTES, *places)
        self._size = ctypes.c_size_t(len(block))
        self._extra = (ctypes.c_void_p * 5)(1, ctypes.addressof(block), 2, ctypes.addressof(self._size), None)

    def send(self, entries, held, source_pages, target_pages, stream):
        if entries != self._entries:
            self._count(entries)
        self._TABLES.pack_into(self._block, self._TABLES_AT, held, source_pages, target_pages)
        _must(_LAUNCH(self._kernel.function(), self._tiles, 1, 1, self._threads, 1, 1, 0, stream, None, self._extra), "cuLaunchKernel")

    def _count(self, entries):
        each, block = -(-entries * self._kernel.pieces // self._kernel.pieces_per_block), self._block
        self._entries, self._tiles = entries, each * self._pools
        self._WORD.pack_into(block, _HEADER["tiles"][0], self._tiles)
        self._WORD.pack_into(block, _HEADER_BYTES + _GROUP["tilesPerPool"][0], each)
        self._WORD.pack_into(block, _HEADER_BYTES + _GROUP["elements"][0], entries)
        self._LONG_WORD.pack_into(block, _HEADER_BYTES + _GROUP["endByte"][0], entries * self._page_bytes)


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

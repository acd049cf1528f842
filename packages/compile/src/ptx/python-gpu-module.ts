import { packMove, unpackMove } from "@stowage/backend-api";
import { LAUNCH_FORMAT } from "@stowage/backend-cuda-generic";
import type { CompiledType } from "../compiled-type.js";
import { pythonRecords } from "../formats/python-records.js";
import { constantsOf, pythonDocument, signatureText } from "../languages/described.js";
import { PYTHON_CHECKS, PYTHON_LOADING, PYTHON_RECORDS } from "./python-launch.js";
import { ptxMove, type PtxKernel, type PtxMove, type PtxSide } from "./stored-kernel.js";

const { header, transfer, node } = LAUNCH_FORMAT;

const HEAD = `"""Written by stowage compile: packs and unpacks datatypes in CuPy arrays, and in what else has a __cuda_array_interface__, by
kernels that the CUDA driver makes of the PTX in here. A context must be current, as CuPy makes one.

Each datatype is an object with pack and unpack. The side that is not packed has its address 0 at byte \`origin\` of its array.
Ranges are bytes [first, first + length) of the packed stream of \`count\` elements; the packed array then holds the range alone.
Calls are ordered as \`stream\` says, the address of a CUstream (cupy.cuda.Stream.ptr); 0 is the legacy default stream.
"""
import base64
import ctypes

_CUDA = ctypes.CDLL("libcuda.so.1")
${pythonRecords({ header, transfer, node })}
_NODES_AT = ${header.bytes + transfer.bytes}


${PYTHON_CHECKS}

def _memory(value, name, writable):
    """Address and length in bytes of a device array whose bytes lie side by side."""
    interface = getattr(value, "__cuda_array_interface__", None)
    _require(interface is not None, name, "an array with a __cuda_array_interface__", type(value).__name__)
    _require(interface.get("strides") is None, name, "an array whose bytes lie side by side", "a strided view")
    address, readonly = interface["data"]
    _require(not (writable and readonly), name, "memory that may be written", "a read-only array")
    nbytes = int(interface["typestr"][2:])
    for extent in interface["shape"]:
        nbytes *= extent
    return address, nbytes


${PYTHON_LOADING}

class _Kernel:
    """The function of one kernel's text, loaded when it is first launched."""

    def __init__(self, entry, ptx, parameter_bytes, word_bytes, threads, unroll):
        self.entry, self.ptx, self.parameter_bytes = entry, ptx, parameter_bytes
        self.word_bytes, self.threads, self.unroll = word_bytes, threads, unroll
        self._function = None

    def function(self):
        if self._function is None:
            self._function = _loaded(self.ptx, self.entry)
        return self._function


${PYTHON_RECORDS}

class _Move:
    """One direction: its kernels, for aligned addresses and for any, and both sides' nodes."""

    def __init__(self, kernels, source, target, lookaside):
        self.kernels, self.starts = kernels, (source[1], target[1])
        source_nodes, target_nodes = base64.b64decode(source[0]), base64.b64decode(target[0])
        self.target_at = _NODES_AT + len(source_nodes)
        self.nodes = _relocated(source_nodes, _NODES_AT) + _relocated(target_nodes, self.target_at)
        self.lookaside, self.uploaded = base64.b64decode(lookaside), None

    def _tables(self):
        if self.uploaded is None:
            self.uploaded = _uploaded(self.lookaside)
        return self.uploaded

    def run(self, source, target, first, length, stream):
        source, target = source + self.starts[0], target + self.starts[1]
        wide, narrow = self.kernels
        kernel = wide if (source | target) % wide.word_bytes == 0 else narrow
        word, end = kernel.word_bytes, first + length
        body, body_end = -(-first // word) * word, end // word * word
        words, head, tail = (body_end - body) // word, body - first, end - body_end
        if words <= 0:
            body, words, head, tail = end, 0, length, 0
        tiles = max(1, -(-words // (kernel.threads * kernel.unroll)))
        block = bytearray(kernel.parameter_bytes)
        block[_NODES_AT:_NODES_AT + len(self.nodes)] = self.nodes
        _put(block, 0, _HEADER, lookaside=self._tables(), transfers=1, tiles=tiles)
        _put(block, _HEADER_BYTES, _TRANSFER, mode=word.bit_length() - 1, source=source, target=target,
             sourceNode=_NODES_AT, targetNode=self.target_at, bodyFirst=body, words=words, headBytes=head, tailBytes=tail)
        held, size = ctypes.create_string_buffer(bytes(block), len(block)), ctypes.c_size_t(kernel.parameter_bytes)
        extra = (ctypes.c_void_p * 5)(1, ctypes.addressof(held), 2, ctypes.addressof(size), None)
        shape = [ctypes.c_uint(n) for n in (tiles, 1, 1, kernel.threads, 1, 1, 0)]
        _must(_CUDA.cuLaunchKernel(kernel.function(), *shape, ctypes.c_void_p(stream), None, extra), "cuLaunchKernel")


class Datatype:
    """One datatype: its size, bounds, signature and document, and the kernels compiled for it."""

    def __init__(self, facts, pack, unpack):
        self.__dict__.update(facts)
        self._pack, self._unpack = pack, unpack

    def _range(self, count, first, length):
        _require(count >= 0, "count", "0 or more", count)
        total = count * self.size
        length = total - first if length is None else length
        held = 0 <= first and 0 <= length and first + length <= total
        _require(held, "range", f"bytes within [0, {total})", f"[{first}, {first + length})")
        return length

    def _scattered(self, value, name, writable, count, origin):
        address, nbytes = _memory(value, name, writable)
        steps = (max(count, 1) - 1) * self.extent
        low = origin + self.true_lower_bound + min(0, steps)
        high = origin + self.true_lower_bound + self.true_extent + max(0, steps)
        if self.size > 0 and count > 0:
            _require(0 <= low and high <= nbytes, name, f"bytes within [0, {nbytes})", f"[{low}, {high})")
        return address + origin

    def _packed(self, value, name, writable, first, length):
        address, nbytes = _memory(value, name, writable)
        _require(nbytes == length, name, f"{length} bytes", nbytes)
        return address - first

    def pack(self, source, target, count=1, first=0, length=None, origin=0, stream=0):
        """Packs elements of \`source\` into \`target\`."""
        length = self._range(count, first, length)
        source_at = self._scattered(source, "source", False, count, origin)
        if length > 0:
            self._pack.run(source_at, self._packed(target, "target", True, first, length), first, length, stream)
        return target

    def unpack(self, source, target, count=1, first=0, length=None, origin=0, stream=0):
        """Unpacks \`source\` into elements of \`target\`."""
        length = self._range(count, first, length)
        target_at = self._scattered(target, "target", True, count, origin)
        if length > 0:
            self._unpack.run(self._packed(source, "source", False, first, length), target_at, first, length, stream)
        return target


`;

/**
 * A module of ctypes over the driver alone. Throws an ArgumentError where a layout has more nodes than fit a launch.
 */
export function pythonGpuModule(types: readonly CompiledType[]): string {
  const kernels = new Map<string, string>();
  const nameOf = (kernel: PtxKernel): string => {
    const known = kernels.get(kernel.entry);
    if (known !== undefined) return known;
    const name = `_kernel_${kernels.size}`;
    kernels.set(kernel.entry, name);
    const { entry, ptx, parameterBytes, wordBytes, threads, unroll } = kernel;
    texts.push(`${name} = _Kernel("${entry}", """${ptx}""", ${parameterBytes}, ${wordBytes}, ${threads}, ${unroll})`);
    return name;
  };
  const texts: string[] = [];
  const objects = types.map((type) => objectOf(type, nameOf));
  return `${HEAD}${texts.join("\n")}\n${objects.join("\n")}`;
}

function objectOf(type: CompiledType, nameOf: (kernel: PtxKernel) => string): string {
  const { symbol, datatype, layout } = type;
  const facts = constantsOf(type).map(([name, value]) => `    "${name}": ${value},`);
  const texts = [
    `    "signature": ${JSON.stringify(signatureText(datatype))},`,
    `    "document": ${pythonDocument(datatype)},`,
  ];
  const moves = [packMove(layout), unpackMove(layout)].map((move) => moveText(ptxMove(move, symbol), nameOf));
  return `${symbol} = Datatype({\n${[...facts, ...texts].join("\n")}\n}, ${moves.join(", ")})\n`;
}

function moveText({ kernels, source, target, lookaside }: PtxMove, nameOf: (kernel: PtxKernel) => string): string {
  const [wide, narrow = wide] = kernels.map(nameOf);
  const side = ({ nodes, startBytes }: PtxSide) => `("${base64(nodes)}", ${startBytes})`;
  return `_Move((${wide}, ${narrow}), ${side(source)}, ${side(target)}, "${base64(lookaside)}")`;
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");

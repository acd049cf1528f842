import type { CompiledType } from "../compiled-type.js";
import { pythonDocument, signatureText } from "./described.js";

const HEAD = `"""Written by stowage compile: packs and unpacks datatypes in NumPy arrays, and in what else has an __array_interface__ or
a writable buffer.

Each datatype is an object with pack, unpack and, where it was asked for, copy. A side that is not packed has its address 0
at byte \`origin\` of its array. Ranges are bytes [first, first + length) of the packed stream of \`count\` elements; the packed
array then holds the range alone. Functions give the array that they wrote; they release no lock and keep no state.
@EXAMPLE@"""
import ctypes
import os

_LIBRARY = ctypes.CDLL(os.path.join(os.path.dirname(os.path.abspath(__file__)), "@LIBRARY@"))


def _memory(value, name, writable):
    """Address and length in bytes of an array whose bytes lie side by side."""
    interface = getattr(value, "__array_interface__", None)
    if interface is None:
        view = memoryview(value).cast("B")
        if writable and view.readonly:
            raise ValueError(f"{name}: expected memory that may be written, got read-only memory")
        whole = (ctypes.c_char * view.nbytes).from_buffer(view) if not view.readonly else None
        if whole is None:
            raise ValueError(f"{name}: expected an array or a writable buffer, got a read-only buffer")
        return ctypes.addressof(whole), view.nbytes
    if not value.flags.c_contiguous and not value.flags.f_contiguous:
        raise ValueError(f"{name}: expected an array whose bytes lie side by side, got a strided view")
    address, readonly = interface["data"]
    if writable and readonly:
        raise ValueError(f"{name}: expected memory that may be written, got a read-only array")
    return address, value.nbytes


def _require(holds, subject, expected, got):
    if not holds:
        raise ValueError(f"{subject}: expected {expected}, got {got}")


class Datatype:
    """One datatype: its size, bounds, signature and document (None: too long to keep), and the functions compiled for it."""

    def __init__(self, symbol, facts, target=None):
        self.__dict__.update(facts)
        self._target = target
        for name in ("pack", "unpack") + (() if target is None else ("copy",)):
            function = getattr(_LIBRARY, f"{symbol}_{name}")
            function.argtypes = [ctypes.c_void_p] * 2 + [ctypes.c_int64] * 3
            function.restype = None
            setattr(self, f"_{name}", function)

    def _range(self, count, first, length):
        _require(count >= 0, "count", "0 or more", count)
        total = count * self.size
        length = total - first if length is None else length
        _require(0 <= first and 0 <= length and first + length <= total, "range", f"bytes within [0, {total})", f"[{first}, {first + length})")
        return length

    def _scattered(self, facts, value, name, writable, count, origin):
        address, nbytes = _memory(value, name, writable)
        steps = (max(count, 1) - 1) * facts["extent"]
        low = origin + facts["true_lower_bound"] + min(0, steps)
        high = origin + facts["true_lower_bound"] + facts["true_extent"] + max(0, steps)
        if self.size > 0 and count > 0:
            _require(0 <= low and high <= nbytes, name, f"bytes within [0, {nbytes})", f"[{low}, {high})")
        return address + origin

    def _packed(self, value, name, writable, first, length):
        address, nbytes = _memory(value, name, writable)
        _require(nbytes == length, name, f"{length} bytes", nbytes)
        return address - first

    def pack(self, source, target=None, count=1, first=0, length=None, origin=0):
        """Packs elements of \`source\` into \`target\`; None: a new bytearray."""
        length = self._range(count, first, length)
        target = bytearray(length) if target is None else target
        source_at = self._scattered(self.__dict__, source, "source", False, count, origin)
        if length > 0:
            self._pack(source_at, self._packed(target, "target", True, first, length), count, first, length)
        return target

    def unpack(self, source, target, count=1, first=0, length=None, origin=0):
        """Unpacks \`source\` into elements of \`target\`."""
        length = self._range(count, first, length)
        target_at = self._scattered(self.__dict__, target, "target", True, count, origin)
        if length > 0:
            self._unpack(self._packed(source, "source", False, first, length), target_at, count, first, length)
        return target

    def copy(self, source, target, count=1, first=0, length=None, origin=0, target_origin=0):
        """Copies elements of \`source\` straight to elements of the other datatype in \`target\`."""
        _require(self._target is not None, "copy", "a datatype compiled with --copy-to", "one without")
        length = self._range(count, first, length)
        source_at = self._scattered(self.__dict__, source, "source", False, count, origin)
        target_at = self._scattered(self._target, target, "target", True, count, target_origin)
        if length > 0:
            self._copy(source_at, target_at, count, first, length)
        return target


`;

/** A program of the first type, which runs as it is printed. */
function exampleOf([first]: readonly CompiledType[], name: string): string {
  if (first === undefined) return "";
  const { symbol } = first;
  const lines = [
    `from ${name} import ${symbol}`,
    "",
    `origin = max(0, -${symbol}.true_lower_bound)`,
    `memory = bytearray(origin + max(0, ${symbol}.true_lower_bound + ${symbol}.true_extent) + 1)`,
    `packed = ${symbol}.pack(memory, origin=origin)`,
    `${symbol}.unpack(packed, memory, origin=origin)`,
  ];
  const text = lines.map((line) => `    ${line}`.trimEnd()).join("\n");
  return `\nOne element packed, and unpacked again:\n\n${text}\n`;
}

/** A module of ctypes for a shared object, which lies beside it; `name`: what it is imported by. */
export function pythonModule(types: readonly CompiledType[], name: string, library: string): string {
  return (
    HEAD.replace("@LIBRARY@", library).replace("@EXAMPLE@", exampleOf(types, name)) + types.map(objectOf).join("\n")
  );
}

function objectOf(type: CompiledType): string {
  const { symbol, datatype, bounds, copyLayout } = type;
  const facts = [
    ["size", bounds.sizeBytes],
    ["extent", bounds.extentBytes],
    ["lower_bound", bounds.lowerBoundBytes],
    ["true_extent", bounds.trueExtentBytes],
    ["true_lower_bound", bounds.trueLowerBoundBytes],
  ].map(([name, value]) => `    "${name}": ${value},`);
  const texts = [
    `    "signature": ${literal(signatureText(datatype))},`,
    `    "document": ${pythonDocument(datatype)},`,
  ];
  const target =
    copyLayout === undefined
      ? ""
      : `, {"extent": ${copyLayout.extentBytes}, "true_lower_bound": ${copyLayout.trueLowerBoundBytes}, "true_extent": ${copyLayout.trueExtentBytes}}`;
  return `${symbol} = Datatype("${symbol}", {\n${[...facts, ...texts].join("\n")}\n}${target})\n`;
}

/** A text of ASCII letters as Python writes it. */
const literal = (text: string): string => JSON.stringify(text);

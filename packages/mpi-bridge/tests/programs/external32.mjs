// pack, unpack and external32 beside the MPI's own.
import { contiguous, predefined, PREDEFINED_NAMES, predefinedFacts, struct, vector } from "@stowage/ir";
import { check, equal, matches, mpi, rank, thrown } from "./checks.mjs";
import { COUNT, expected, filled, message, ORIGIN, TYPES } from "./elements.mjs";
import koffi from "koffi";

const { mpi: library } = mpi;
const packExternal = library.bind("MPI_Pack_external", "const char *, void *, int, Handle, void *, int64_t, void *");
const { packer } = mpi;

/** What MPI_Pack_external of this MPI makes of elements that begin at a view's first byte. */
function theirs(type, count, bytes, capacity) {
  const packed = new Uint8Array(capacity);
  const position = new BigInt64Array(1);
  const code = packExternal("external32", bytes, count, type.native, packed, capacity, position);
  return code === 0 ? packed.subarray(0, Number(position[0])) : undefined;
}

check("pack and unpack go on from a position", () => {
  const buffer = new Uint8Array(4096);
  let position = 0;
  for (const type of Object.values(TYPES)) position = packer.pack(message(filled(rank), type), buffer, position);
  let at = 0;
  for (const type of Object.values(TYPES)) {
    const into = filled(99);
    at = packer.unpack(buffer, at, message(into, type));
    equal(into, expected(mpi.typeOf(type), COUNT, rank));
  }
  equal(at, position);
  equal(packer.packSize(message(filled(0), TYPES.vector)), COUNT * 64);
  matches(
    thrown(() => packer.pack(message(filled(0), TYPES.vector), buffer, 4090)),
    /^packed buffer: expected 192 bytes from position 4090 within 4096, got fewer$/,
  );
});

/** Where MPICH ends the process: values whose width changes, long doubles, pairs. */
const MPICH_FATAL = /^MPI_(WCHAR|(UNSIGNED_)?LONG|2INT|(FLOAT|DOUBLE|LONG|SHORT|LONG_DOUBLE)_INT)$|LONG_DOUBLE/;
/** What Open MPI writes otherwise than the standard's table: docs/design/mpi-differences.md says how. */
const OPEN_MPI_DIFFERS = /^MPI_WCHAR$|LONG_DOUBLE/;
const isFatal = (name) => library.family === "mpich" && MPICH_FATAL.test(name);

// Small values fit the narrower integers of the table.
const small = (name, width) => Uint8Array.from({ length: 4 * width }, (_, i) => (i % width < 1 ? 37 + i : 0));
check("external32 has the standard's bytes, as the MPI's own has", () => {
  const differing = [];
  for (const name of PREDEFINED_NAMES) {
    if (!library.constants.datatypes.has(name)) continue;
    const { extentBytes } = predefinedFacts(name);
    const type = mpi.typeOf(name);
    const bytes = small(name, extentBytes);
    const elements = { buffer: bytes, datatype: name, count: 4 };
    const size = packer.packExternalSize("external32", elements);
    const ours = new Uint8Array(size);
    equal(packer.packExternal("external32", elements, ours), size, name);
    const other = isFatal(name) ? undefined : theirs(type, 4, bytes, 1024);
    const differs = other === undefined || Buffer.compare(ours, other) !== 0;
    const known = library.family === "mpich" ? MPICH_FATAL : OPEN_MPI_DIFFERS;
    if (differs && !known.test(name)) differing.push(name);
    const back = new Uint8Array(bytes.length);
    equal(packer.unpackExternal("external32", ours, 0, { buffer: back, datatype: name, count: 4 }), size, name);
    const [was, is] = [new Uint8Array(128), new Uint8Array(128)];
    packer.pack(elements, was);
    packer.pack({ ...elements, buffer: back }, is);
    if (!/LONG_DOUBLE/.test(name)) equal(is, was, `${name} there and back`);
  }
  equal(differing, [], "types that differ");
});

check("external32 of scattered elements", () => {
  for (const datatype of [
    vector(4, 2, 3, predefined("MPI_DOUBLE")),
    struct([1, 2], [0, 8], [predefined("MPI_SHORT"), predefined("MPI_INT")]),
  ]) {
    const type = mpi.typeOf(datatype);
    const bytes = filled(3);
    const elements = message(bytes, datatype);
    const ours = new Uint8Array(packer.packExternalSize("external32", elements));
    packer.packExternal("external32", elements, ours);
    // MPICH ends the process for types that were built.
    if (library.family === "openmpi") equal(ours, theirs(type, 3, bytes.subarray(ORIGIN), 1024));
    const back = filled(99);
    packer.unpackExternal("external32", ours, 0, message(back, datatype));
    equal(back, expected(type, COUNT, 3));
  }
});

check("long doubles are IEEE's binary128, longs have 4 bytes", () => {
  // 1.5 as an x87 number: exponent 0x3fff, significand 0xc000000000000000.
  const x87 = Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0xc0, 0xff, 0x3f, 0, 0, 0, 0, 0, 0);
  const out = new Uint8Array(16);
  packer.packExternal("external32", { buffer: x87, datatype: "MPI_LONG_DOUBLE", count: 1 }, out);
  equal(out, [0x3f, 0xff, 0x80, ...new Array(13).fill(0)]);
  const back = new Uint8Array(16);
  packer.unpackExternal("external32", out, 0, { buffer: back, datatype: "MPI_LONG_DOUBLE", count: 1 });
  equal(back, x87);
  const long = new Uint8Array(4);
  packer.packExternal("external32", { buffer: BigInt64Array.of(-2n), datatype: "MPI_LONG", count: 1 }, long);
  equal(long, [255, 255, 255, 254]);
  matches(
    thrown(() =>
      packer.packExternal("external32", { buffer: BigInt64Array.of(2n ** 40n), datatype: "MPI_LONG", count: 1 }, long),
    ),
    /^MPI_LONG in external32: expected a value of 32 bits, got 1099511627776$/,
  );
  matches(
    thrown(() => packer.packExternalSize("native", Int32Array.of(1))),
    /^data representation: expected external32, got "native"$/,
  );
});

// The shapes of calls.mjs at 64 B, 256 B, 1 KiB and 32 KiB: documents, plain loops in C with constant bounds, and MPI's
// calls. In a loop, i is an element of the scattered side, k one of the packed side, and MOVE the statement that moves
// it.
const SIZES = [64, 256, 1024, 32768];

const list = (name, values) => `static const int ${name}[] = {${values.join(", ")}};`;

function column(bytes) {
  const n = bytes / 8;
  return {
    type: { kind: "vector", count: n, blocklength: 1, stride: 8, child: "MPI_DOUBLE" },
    element: "double",
    loop: `for (; k < ${n}; k++) { const long i = 8 * k; MOVE }`,
    mpi: `MPI_Type_vector(${n}, 1, 8, MPI_DOUBLE, &type);`,
  };
}

function blocks(bytes) {
  const n = bytes / 32;
  return {
    type: { kind: "vector", count: n, blocklength: 4, stride: 16, child: "MPI_DOUBLE" },
    element: "double",
    loop: `for (long b = 0; b < ${n}; b++) for (long j = 0; j < 4; j++, k++) { const long i = 16 * b + j; MOVE }`,
    mpi: `MPI_Type_vector(${n}, 4, 16, MPI_DOUBLE, &type);`,
  };
}

/** Runs of 1 to 7 ints at rising places, as of an unstructured mesh; the same at every run of this file. */
function ragged(bytes, symbol) {
  const [lengths, places] = [[], []];
  let [state, left, at] = [12345, bytes / 4, 0];
  const drawn = (below) => ((state = (Math.imul(state, 1103515245) + 12345) >>> 0) % 65521) % below;
  while (left > 0) {
    const length = Math.min(left, 1 + drawn(7));
    lengths.push(length);
    places.push(at);
    at += length + 1 + drawn(9);
    left -= length;
  }
  const n = lengths.length;
  return {
    type: { kind: "indexed", blocklengths: lengths, displacements: places, child: "MPI_INT" },
    element: "int",
    tables: `${list(`${symbol}_lengths`, lengths)}\n${list(`${symbol}_places`, places)}`,
    loop: `for (long b = 0; b < ${n}; b++) for (long j = 0; j < ${symbol}_lengths[b]; j++, k++) { const long i = ${symbol}_places[b] + j; MOVE }`,
    mpi: `MPI_Type_indexed(${n}, ${symbol}_lengths, ${symbol}_places, MPI_INT, &type);`,
  };
}

/** struct { double x; int id; }, whose 4 bytes behind the int are packed away; 12 bytes each. */
function structs(bytes) {
  const n = Math.floor(bytes / 12);
  const child = { kind: "struct", blocklengths: [1, 1], displacements: [0, 8], children: ["MPI_DOUBLE", "MPI_INT"] };
  return {
    type: { kind: "contiguous", count: n, child },
    element: "int",
    loop: `for (long b = 0; b < ${n}; b++) for (long j = 0; j < 3; j++, k++) { const long i = 4 * b + j; MOVE }`,
    mpi: `const int lengths[] = {1, 1}; const MPI_Aint places[] = {0, 8}; const MPI_Datatype types[] = {MPI_DOUBLE, MPI_INT};
  MPI_Datatype one; MPI_Type_create_struct(2, lengths, places, types, &one); MPI_Type_contiguous(${n}, one, &type);`,
  };
}

function box4d(bytes) {
  const subsizes = { 64: [1, 2, 2, 2], 256: [2, 2, 2, 4], 1024: [2, 4, 4, 4], 32768: [8, 8, 8, 8] }[bytes];
  const sizes = [12, 12, 12, 12];
  const starts = [1, 1, 1, 1];
  const [a, b, c, d] = subsizes;
  const text = (values) => `(const int[]){${values.join(", ")}}`;
  return {
    type: { kind: "subarray", sizes, subsizes, starts, order: "C", child: "MPI_DOUBLE" },
    element: "double",
    loop: `for (long p = 0; p < ${a}; p++) for (long q = 0; q < ${b}; q++) for (long r = 0; r < ${c}; r++) for (long s = 0; s < ${d}; s++, k++) {
    const long i = (((p + 1) * 12 + q + 1) * 12 + r + 1) * 12 + s + 1; MOVE }`,
    mpi: `MPI_Type_create_subarray(4, ${text(sizes)}, ${text(subsizes)}, ${text(starts)}, MPI_ORDER_C, MPI_DOUBLE, &type);`,
  };
}

const KINDS = { column, blocks, ragged, structs, box4d };

export const shapes = Object.entries(KINDS).flatMap(([name, make]) =>
  SIZES.map((bytes) => {
    const symbol = `${name}_${bytes}`;
    return { tables: "", ...make(bytes, symbol), name, symbol };
  }),
);

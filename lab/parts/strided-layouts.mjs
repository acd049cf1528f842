// The strided layouts of the GPU figures, as datatypes.
import { contiguous, hvector, predefined, subarray, vector } from "@stowage/ir";
import { workload } from "@stowage/workloads";

const MIB = 2 ** 20;
const double = predefined("MPI_DOUBLE");
const byte = predefined("MPI_BYTE");

const pitched = (blockBytes, pitchBytes, totalBytes) => hvector(totalBytes / blockBytes, blockBytes, pitchBytes, byte);
const face = (subsizes) => subarray({ sizes: [512, 512, 512], subsizes, starts: [0, 0, 0], order: "C", child: double });

const entry = (name, datatype, count = 1) => ({ name, datatype, count });
const named = (name, scale) => {
  const { datatype, count } = workload(name, scale);
  return entry(name, datatype, count);
};

export const VECTORS = [8, 16, 32, 128, 512].map((bytes) =>
  entry(`vector of ${bytes} B, pitch 512`, pitched(bytes, 512, 64 * MIB)),
);
export const DENSE_PITCH = entry("vector of 8 B, pitch 64", pitched(8, 64, 64 * MIB));
export const FACES = [
  entry("face z of 512^3 doubles", face([1, 512, 512])),
  entry("face y of 512^3 doubles", face([512, 1, 512])),
  entry("face x of 512^3 doubles", face([512, 512, 1])),
];
export const APPLICATIONS = ["MILC_su3_zdown/0", "milc-32", "halo26/0,0,1", "halo26/0,1,0", "halo26/1,0,0"].map(
  (name) => named(name),
);

/** TEMPI, section 2: one object, built in five ways; 128-byte blocks of pitch 512. */
const ROWS = 8192;
const doubles = 16;
export const EQUIVALENT = [
  entry("equivalent: vector of doubles", vector(ROWS, doubles, 64, double)),
  entry("equivalent: hvector of bytes", pitched(128, 512, ROWS * 128)),
  entry("equivalent: hvector of contiguous", hvector(ROWS, 1, 512, contiguous(doubles, double))),
  entry(
    "equivalent: nested hvectors",
    hvector(ROWS / 64, 1, 64 * 512, hvector(64, 1, 512, contiguous(doubles, double))),
  ),
  entry(
    "equivalent: subarray",
    subarray({ sizes: [ROWS, 64], subsizes: [ROWS, doubles], starts: [0, 0], order: "C", child: double }),
  ),
];
export const EQUIVALENT_TWICE = EQUIVALENT.map((one) => ({ ...one, name: `${one.name}, count 2`, count: 2 }));

/** Blocks and pitches that are no multiples of 32 B: TPDS 2014, figure 5. */
export const RAGGED = [
  [4, 20],
  [8, 40],
  [12, 28],
  [20, 52],
  [24, 56],
  [36, 100],
  [40, 72],
  [72, 144],
  [100, 260],
  [200, 520],
  [1000, 2024],
].map(([bytes, pitch]) => ({
  ...entry(`ragged ${bytes} B, pitch ${pitch}`, pitched(bytes, pitch, Math.floor((16 * MIB) / bytes) * bytes)),
  blockBytes: bytes,
  pitchBytes: pitch,
}));

/**
 * What packs columns of a matrix one after another: words of so many bytes, `across` of them in each of `along`
 * columns.
 */
const columns = (wordBytes, across, along) =>
  hvector(along, 1, wordBytes, hvector(across, wordBytes, along * wordBytes, byte));
const EDGE = 256;
const reversed = hvector(EDGE, 1, 8, hvector(EDGE, 1, 8 * EDGE, hvector(EDGE / 2, 1, 8 * EDGE * EDGE, double)));
const square = (wordBytes, across, along) => ({ wordBytes, across, along });
export const TRANSPOSES = [
  { ...entry("transpose of 2048 x 4096 doubles", columns(8, 2048, 4096)), square: square(8, 2048, 4096) },
  { ...entry("transpose of 4096 x 4096 floats", columns(4, 4096, 4096)), square: square(4, 4096, 4096) },
  { ...entry("transpose of 2048 x 2048 complex", columns(16, 2048, 2048)), square: square(16, 2048, 2048) },
  { ...entry("transpose of 4096 x 8192 shorts", columns(2, 4096, 8192)), square: square(2, 4096, 8192) },
  { ...entry("transpose of 8192 x 8192 bytes", columns(1, 8192, 8192)), square: square(1, 8192, 8192) },
  { ...entry("transpose of 256 x 256 doubles", columns(8, 256, 256)), square: square(8, 256, 256) },
  { ...entry("transpose of 1000 x 1000 doubles", columns(8, 1000, 1000)), square: square(8, 1000, 1000) },
  entry("128 x 256 x 256 doubles, dimensions reversed", reversed),
  ...["FFT2/1", "FFT2/7", "FFT2/13"].map((name) => named(name)),
];

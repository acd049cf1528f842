import { contiguous, hvector, indexed, indexedBlock, predefined, subarray, vector, type Datatype } from "@stowage/ir";
import type { WorkloadDefinition, WorkloadGroup } from "../definition.js";

const DOUBLE_BYTES = 8;
const double = predefined("MPI_DOUBLE");
const byte = predefined("MPI_BYTE");

/** Distance between blocks in every strided test of Jenkins et al. and of TEMPI. */
const PITCH_BYTES = 512;
const PITCH_DOUBLES = PITCH_BYTES / DOUBLE_BYTES;

const BLOCK_BYTES = [8, 16, 32, 128, 512];
const MIB_BYTES = 1 << 20;

const JENKINS = "Jenkins et al., TPDS 2014, section 4.1";
const TEMPI = "Pearson et al., TEMPI 2021, section 6.2, Figure 7";

/** Equal blocks at a pitch of 512 bytes, built by one constructor; the scale is the number of blocks. */
function pitched(
  name: string,
  group: WorkloadGroup,
  source: string,
  build: (blocks: number, blockBytes: number) => Datatype,
): WorkloadDefinition[] {
  return BLOCK_BYTES.map((blockBytes) => ({
    name: `${name}-${blockBytes}`,
    group,
    description: `${name} of blocks of ${blockBytes} bytes, ${PITCH_BYTES} bytes apart`,
    source,
    defaultScale: MIB_BYTES / blockBytes,
    sizeBytes: (blocks) => blocks * blockBytes,
    build: (blocks) => ({ datatype: build(blocks, blockBytes), count: 1 }),
  }));
}

const displacements = (blocks: number): Float64Array =>
  Float64Array.from({ length: blocks }, (_, i) => i * PITCH_DOUBLES);

const vectorOf = (blocks: number, blockBytes: number): Datatype =>
  vector(blocks, blockBytes / DOUBLE_BYTES, PITCH_DOUBLES, double);

/** Elements of 1 MiB each, for peers whose speed changes with the count of elements. */
const VECTORS_OF_1_MIB: readonly WorkloadDefinition[] = BLOCK_BYTES.map((blockBytes) => ({
  name: `vectors-${blockBytes}`,
  group: "tempi",
  description: `elements of 1 MiB, each a vector of blocks of ${blockBytes} bytes, ${PITCH_BYTES} bytes apart`,
  source: TEMPI,
  defaultScale: 4,
  sizeBytes: (count) => count * MIB_BYTES,
  build: (count) => ({ datatype: vectorOf(MIB_BYTES / blockBytes, blockBytes), count }),
}));

export const STRIDED: readonly WorkloadDefinition[] = [
  {
    name: "contiguous",
    group: "jenkins",
    description: "contiguous doubles: what any copy takes",
    source: JENKINS,
    defaultScale: MIB_BYTES / DOUBLE_BYTES,
    sizeBytes: (doubles) => doubles * DOUBLE_BYTES,
    build: (doubles) => ({ datatype: contiguous(doubles, double), count: 1 }),
  },
  ...pitched("vector", "jenkins", JENKINS, vectorOf),
  ...pitched("indexed", "jenkins", JENKINS, (blocks, blockBytes) => {
    const blocklengths = new Int32Array(blocks).fill(blockBytes / DOUBLE_BYTES);
    return indexed(blocklengths, displacements(blocks), double);
  }),
  ...pitched("indexed_block", "jenkins", JENKINS, (blocks, blockBytes) =>
    indexedBlock(blockBytes / DOUBLE_BYTES, displacements(blocks), double),
  ),
  ...pitched("hvector-bytes", "tempi", TEMPI, (blocks, blockBytes) => hvector(blocks, blockBytes, PITCH_BYTES, byte)),
  ...pitched("subarray", "tempi", TEMPI, (blocks, blockBytes) => {
    const subsizes = [blocks, blockBytes / DOUBLE_BYTES];
    return subarray({ sizes: [blocks, PITCH_DOUBLES], subsizes, starts: [0, 0], order: "C", child: double });
  }),
  ...VECTORS_OF_1_MIB,
];

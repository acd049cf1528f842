import {
  contiguous,
  darray,
  dup,
  hindexed,
  hindexedBlock,
  hvector,
  indexed,
  indexedBlock,
  predefined,
  resized,
  struct,
  subarray,
  vector,
  type Datatype,
} from "@stowage/ir";

const double = predefined("MPI_DOUBLE");
const short = predefined("MPI_SHORT");
const pair = predefined("MPI_DOUBLE_INT");

/** At least one datatype of every constructor, with what each can get wrong: signs, order, zero counts, padding. */
export const CONSTRUCTORS: Readonly<Record<string, Datatype>> = {
  predefined: double,
  "pair type of size 12 and extent 16": contiguous(2, pair),
  contiguous: contiguous(5, double),
  "contiguous of nothing": contiguous(0, double),
  vector: vector(3, 2, 5, double),
  "vector with a negative stride": vector(3, 2, -5, double),
  "hvector, misaligned": hvector(3, 1, 11, double),
  indexed: indexed([2, 0, 1], [0, 3, 7], double),
  "indexed, unsorted and negative": indexed([1, 2], [4, -3], short),
  "hindexed, misaligned": hindexed([2, 1], [1, -9], double),
  "hindexed beyond 2^32 bytes": hindexed([1, 1], [0, 2 ** 33 + 8], double),
  indexed_block: indexedBlock(2, [0, 7, 3], double),
  "hindexed_block, misaligned": hindexedBlock(1, [3, 22], double),
  struct: struct([1, 2], [0, 8], [double, short]),
  "struct, padded to its strictest member": struct([1, 1], [0, 8], [double, predefined("MPI_CHAR")]),
  "struct with an empty member": struct([1, 0], [4, 1000], [short, double]),
  "subarray in C's order": subarray({ sizes: [4, 6], subsizes: [2, 3], starts: [1, 2], order: "C", child: double }),
  "subarray in Fortran's order": subarray({
    sizes: [4, 6],
    subsizes: [2, 3],
    starts: [1, 2],
    order: "F",
    child: short,
  }),
  darray: darray({
    size: 6,
    rank: 4,
    gsizes: [7, 9, 2],
    distribs: ["block", "cyclic", "none"],
    dargs: [null, 2, null],
    psizes: [2, 3, 1],
    order: "C",
    child: double,
  }),
  "darray in Fortran's order": darray({
    size: 4,
    rank: 3,
    gsizes: [5, 8],
    distribs: ["cyclic", "block"],
    dargs: [null, 4],
    psizes: [2, 2],
    order: "F",
    child: short,
  }),
  resized: resized(-4, 32, vector(2, 1, 2, double)),
  "resized to a negative extent": resized(8, -16, double),
  dup: dup(vector(2, 1, 2, double)),
  "nested three deep": hvector(2, 1, 400, struct([2, 1], [0, 48], [vector(2, 1, 2, double), dup(short)])),
};

const byte = predefined("MPI_BYTE");
const nothing = contiguous(0, double);

/** What an MPI makes wrongly by its own constructor. */
export const MADE_OTHERWISE: Readonly<Record<string, Datatype>> = {
  "a block that steps backwards": contiguous(3, resized(-4, -12, predefined("MPI_SHORT_INT"))),
  "a sole block that steps backwards": hindexed([2], [0], resized(0, -5, short)),
  "a vector that steps back by a byte": vector(3, 1, -1, byte),
  "an hvector that steps back by a byte": hvector(4, 1, -1, byte),
  "overlapping blocks that step back by a byte": hvector(3, 2, -1, byte),
  "a struct with an empty member": struct(
    [2, 1],
    [8, 6],
    [contiguous(7, byte), hindexed([], [], resized(0, -26, pair))],
  ),
  "a struct of blocks of nothing": struct([1, 3], [40, 20], [hvector(2, 4, -52, byte), hvector(1, 0, -75, double)]),
  "a darray of nothing": darray({
    size: 1,
    rank: 0,
    gsizes: [4],
    distribs: ["block"],
    dargs: [null],
    psizes: [1],
    order: "C",
    child: nothing,
  }),
};

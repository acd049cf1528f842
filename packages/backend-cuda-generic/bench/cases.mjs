import { workloadOfSize } from "@stowage/bench";

const BOTH = ["device", "one-shot"];

const sized = (names, size, more = {}) => names.map((name) => ({ name: `${name}@${size}`, ...more }));

/** The rows that figures are asked of, and those of the peers' tables: workload, and where packed bytes go. Of Jenkins'
 * types, also the bytes of a primitive: what the kernel as the paper has it moves a thread. */
export const CASES = [
  ...sized(["contiguous", "vector-8", "vector-128", "indexed-random", "struct24", "indexed-8", "lammps-atoms"], "1KiB"),
  ...["subarray4d-4", "subarray4d-8", "subarray4d-16"].map((name) => ({ name })),
  { name: "subarray4d-32", paperBytes: 8 },
  { name: "struct24@17000", paperBytes: 1 },
  { name: "struct24@17000000", paperBytes: 1, routes: BOTH },
  ...sized(["vector-16", "indexed-random"], "1MiB"),
  ...sized(["contiguous", "vector-128", "indexed-random"], "64MiB", { paperBytes: 8, routes: BOTH }),
  ...sized(["vector-8", "indexed-8"], "64MiB", { paperBytes: 8 }),
  ...sized(["vector-32", "hvector-bytes-128", "indexed-32", "indexed-128"], "64MiB"),
  ...[
    "fields-halo-x",
    "fields-halo-y",
    "lammps-atoms@12582912",
    "specfem-oc@16777216",
    "specfem-cm@12582912",
    "milc-32",
  ].map((name) => ({ name })),
  { name: "halo26/all", routes: BOTH },
  { name: "halo26/all", l2FetchBytes: 32 },
];

/** What a case is called in result files. */
export const titleOf = ({ name, l2FetchBytes }) =>
  workloadOfSize(name).name + (l2FetchBytes === undefined ? "" : ` (L2 fetch ${l2FetchBytes} B)`);

import { workloadOfSize } from "../../cli/dist/bench/named-workloads.js";

const MIB = "MiB";
const BOTH = ["device", "one-shot"];

/** The rows that figures are asked of, and those of the peers' tables: workload, and where packed bytes go. */
export const CASES = [
  ...["contiguous", "vector-8", "vector-128", "indexed-random", "struct24", "indexed-8", "lammps-atoms"].map((name) => ({ name: `${name}@1KiB` })),
  ...[4, 8, 16, 32].map((edge) => ({ name: `subarray4d-${edge}` })),
  { name: "struct24@17000" },
  { name: "struct24@17000000", routes: BOTH },
  { name: `vector-16@1${MIB}` },
  { name: `indexed-random@1${MIB}` },
  ...["contiguous", "vector-8", "vector-32", "vector-128", "indexed-random"].map((name) => ({ name: `${name}@64${MIB}`, routes: BOTH })),
  ...["hvector-bytes-128", "indexed-8", "indexed-32", "indexed-128"].map((name) => ({ name: `${name}@64${MIB}` })),
  { name: "fields-halo-x" },
  { name: "fields-halo-y" },
  { name: "lammps-atoms@12582912", routes: BOTH },
  { name: "specfem-oc@16777216" },
  { name: "specfem-cm@12582912" },
  { name: "milc-32" },
  { name: "halo26/all", routes: BOTH },
  { name: "halo26/all", l2FetchBytes: 32 },
];

/** What a case is called in result files. */
export const titleOf = ({ name, l2FetchBytes }) => workloadOfSize(name).name + (l2FetchBytes === undefined ? "" : ` (L2 fetch ${l2FetchBytes} B)`);

import { elementsOf, workloadSubject, type Elements } from "@stowage/bench";
import { hindexed, predefined, vector } from "@stowage/ir";

const DOUBLE = predefined("MPI_DOUBLE");

/**
 * The datatypes whose calls are told one by one: short, for what a call costs besides moving bytes is what is asked.
 */
export const TOLD: readonly Elements[] = [
  { name: "4 doubles", datatype: vector(4, 1, 2, DOUBLE), count: 1 },
  { name: "column of 512 doubles", datatype: vector(512, 1, 512, DOUBLE), count: 1 },
  { name: "4 ragged runs", datatype: hindexed([1, 3, 2, 5], [0, 24, 80, 120], DOUBLE), count: 1 },
];

const MIXED = [
  ...["contiguous@64", "vector-8@64", "vector-8@1KiB", "vector-16@256", "vector-32@1KiB", "vector-128@1KiB"],
  ...["indexed-8@256", "indexed-random@256", "indexed-random@1KiB", "struct24@170", "struct24@1020"],
  ...["lammps-atoms@1008", "subarray4d-4", "hvector-bytes-128@1KiB", "NAS_LU_x/0", "MILC_su3_zdown/0@1KiB"],
];

/** Sixteen datatypes of all forms, called in random order: what a program does that commits more than one. */
export const mixedTypes = (): readonly Elements[] => MIXED.map((name) => elementsOf(workloadSubject(name)));

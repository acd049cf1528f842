const sized = (names: readonly string[], sizes: readonly string[]): readonly string[] =>
  sizes.flatMap((size) => names.map((name) => `${name}@${size}`));

const BLOCKS = [8, 16, 32, 128, 512];

/**
 * A group of workloads: the cells that engines for GPUs have published figures of, or been measured at. One run holds
 * them all.
 */
export const PEERS_GPU = {
  group: "peers-gpu",
  workloads: [
    ...sized(["contiguous", ...BLOCKS.map((bytes) => `vector-${bytes}`)], ["1KiB", "64KiB", "1MiB", "64MiB"]),
    ...["indexed-random@1KiB", "struct24@1020", "lammps-atoms@1008"],
    ...sized(["hvector-bytes-128"], ["1MiB", "64MiB"]),
    ...sized(["indexed-8", "indexed-32", "indexed-128", "indexed-random"], ["1MiB", "64MiB"]),
    ...sized(["struct24"], ["17000", "1088000", "17000000"]),
    ...["subarray4d-4", "subarray4d-8", "subarray4d-16", "subarray4d-32"],
    ...["face-512-xy", "face-512-xz", "face-512-yz", "MILC_su3_zdown/0", "milc-32", "su3-rows"],
    ...["fields-halo-x", "fields-halo-y", "lammps-atoms@12582912", "specfem-oc@16777216", "specfem-cm@12582912"],
    ...["halo26/1,0,0", "halo26/0,1,0", "halo26/0,0,1", "halo26/1,1,0", "halo26/1,1,1", "halo26/all"],
  ],
} as const;

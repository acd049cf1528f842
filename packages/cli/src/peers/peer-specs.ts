import { findMpis } from "@stowage/mpi-abi";
import type { PeerSpec } from "@stowage/bench/peers";
import { hasPlainC } from "@stowage/bench/plain-c";

/**
 * A contender that our script can start: a backend of ours by name ("auto" is the engine's choice), an MPI by its file,
 * or a baseline.
 */
export type OurSpec = PeerSpec &
  (
    | { readonly kind: "engine"; readonly backend: string }
    | { readonly kind: "mpi"; readonly path: string }
    | { readonly kind: "plain-c" }
    | { readonly kind: "memcpy" }
  );

/** Who takes part in a comparison, and in one line each why others do not. */
export interface Field {
  readonly specs: readonly OurSpec[];
  readonly remarks: readonly string[];
}

const NO_MPI =
  "MPI: expected Open MPI or MPICH to compare with, got none installed " +
  "(apt-get install openmpi-bin mpich, or STOWAGE_MPI=path of a library)";
const NO_PLAIN_C = "c-O3: expected gcc, which compiles the plain C loops, and an x86-64 processor, got none here";

/** Backends of ours by name, every MPI of this machine, plain C loops where they are, and memcpy. */
export function field(backends: readonly string[]): Field {
  const mpis = mpiSpecs();
  const plainC: readonly OurSpec[] = hasPlainC() ? [{ kind: "plain-c", title: "plain-c" }] : [];
  return {
    specs: [
      ...backends.map((backend): OurSpec => ({ kind: "engine", title: backend, backend })),
      ...mpis.specs,
      ...plainC,
      { kind: "memcpy", title: "memcpy" },
    ],
    remarks: [...mpis.remarks, ...(plainC.length === 0 ? [NO_PLAIN_C] : [])],
  };
}

function mpiSpecs(): Field {
  try {
    const specs = findMpis().map((path): OurSpec => ({ kind: "mpi", title: path, path }));
    return { specs, remarks: specs.length === 0 ? [NO_MPI] : [] };
  } catch (error) {
    return { specs: [], remarks: [(error as Error).message] }; // STOWAGE_MPI names nothing
  }
}

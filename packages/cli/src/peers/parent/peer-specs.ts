import { findMpis } from "@stowage/mpi-abi";
import { hasPlainC } from "../child/plain-c-peer.js";
import type { PeerSpec } from "../protocol.js";

/** Who takes part in a comparison, and in one line each why others do not. */
export interface Field {
  readonly specs: readonly PeerSpec[];
  readonly remarks: readonly string[];
}

const NO_MPI =
  "MPI: expected Open MPI or MPICH to compare with, got none installed " +
  "(apt-get install openmpi-bin mpich, or STOWAGE_MPI=path of a library)";
const NO_PLAIN_C = "c-O3: expected the plain C loops of a checkout (packages/backend-x64/bench), got none here";

/** Backends of ours by name, every MPI of this machine, plain C loops where they are, and memcpy. */
export function field(backends: readonly string[]): Field {
  const mpis = mpiSpecs();
  const plainC: readonly PeerSpec[] = hasPlainC() ? [{ kind: "plain-c" }] : [];
  return {
    specs: [
      ...backends.map((backend): PeerSpec => ({ kind: "engine", backend })),
      ...mpis.specs,
      ...plainC,
      { kind: "memcpy" },
    ],
    remarks: [...mpis.remarks, ...(plainC.length === 0 ? [NO_PLAIN_C] : [])],
  };
}

function mpiSpecs(): Field {
  try {
    const specs = findMpis().map((path): PeerSpec => ({ kind: "mpi", path }));
    return { specs, remarks: specs.length === 0 ? [NO_MPI] : [] };
  } catch (error) {
    return { specs: [], remarks: [(error as Error).message] }; // STOWAGE_MPI names nothing
  }
}

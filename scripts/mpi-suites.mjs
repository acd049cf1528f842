/**
 * The suites that depend on an MPI, each in a run of its own: what one of them breaks is told beside what the others
 * hold.
 */
export const SUITES = {
  "mpi-abi": ["packages/mpi-abi/tests"],
  "mpi-bridge": ["packages/mpi-bridge/tests"],
  // Caches, recordings and the service are the same under every MPI.
  interposer: ["build", "device", "programs", "run"].map((each) => `packages/interposer/tests/${each}`),
  overheads: ["packages/overheads/tests"],
};

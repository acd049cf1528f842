// Installs the MPIs that tests and `stowage bench --peers` compare against.
import { hasLibrary, installMissing } from "./install-missing.mjs";

const MPIS = [
  { name: "Open MPI", files: ["libmpi.so.40"], packages: ["openmpi-bin", "libopenmpi-dev"] },
  { name: "MPICH", files: ["libmpich.so.12", "libmpi.so.12"], packages: ["mpich", "libmpich-dev"] },
];

installMissing(
  MPIS.map(({ files, ...mpi }) => ({ ...mpi, isInstalled: files.some(hasLibrary) })),
  "comparisons with it are skipped",
);

// Installs the MPIs that tests and `stowage bench --peers` compare against.
import { existsSync } from "node:fs";
import { installMissing } from "./install-missing.mjs";

const MPIS = [
  { name: "Open MPI", files: ["libmpi.so.40"], packages: ["openmpi-bin", "libopenmpi-dev"] },
  { name: "MPICH", files: ["libmpich.so.12", "libmpi.so.12"], packages: ["mpich", "libmpich-dev"] },
];
const FOLDERS = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/local/lib", "/usr/lib"];

const isThere = (file) => FOLDERS.some((folder) => existsSync(`${folder}/${file}`));

installMissing(
  MPIS.map(({ files, ...mpi }) => ({ ...mpi, isInstalled: files.some(isThere) })),
  "comparisons with it are skipped",
);

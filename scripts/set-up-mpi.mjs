// Installs the MPIs that tests and `stowage bench --peers` compare against, where that is possible without asking
// anyone: as root, on a system with apt-get. Elsewhere it says in one line which command does it.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const MPIS = [
  { name: "Open MPI", files: ["libmpi.so.40"], packages: ["openmpi-bin", "libopenmpi-dev"] },
  { name: "MPICH", files: ["libmpich.so.12", "libmpi.so.12"], packages: ["mpich", "libmpich-dev"] },
];
const FOLDERS = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/local/lib", "/usr/lib"];

const isInstalled = ({ files }) => FOLDERS.some((folder) => files.some((file) => existsSync(`${folder}/${file}`)));

const missing = MPIS.filter((mpi) => !isInstalled(mpi));
const packages = missing.flatMap((mpi) => mpi.packages);
const command = `apt-get install -y --no-install-recommends ${packages.join(" ")}`;

function run(line) {
  const [program, ...args] = line.split(" ");
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  return spawnSync(program, args, { env, stdio: ["ignore", "ignore", "inherit"] }).status === 0;
}

const mayInstall = process.getuid?.() === 0 && spawnSync("apt-get", ["--version"]).status === 0;

if (missing.length > 0) {
  const names = missing.map(({ name }) => name).join(" and ");
  if (!mayInstall) {
    console.error(`stowage: ${names} not installed; comparisons with it are skipped until: sudo ${command}`);
  } else {
    console.error(`stowage: installing ${names}`);
    run("apt-get update -q");
    if (!run(command))
      console.error(`stowage: ${names} could not be installed; comparisons with it are skipped: ${command}`);
  }
}

// Debian packages that tests want, installed where that is possible without asking anyone: as root, on a system with
// apt-get. Elsewhere one line says which command does it.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

export const hasProgram = (name) => process.env.PATH.split(delimiter).some((folder) => existsSync(join(folder, name)));

const FOLDERS = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/local/lib", "/usr/lib"];

export const hasLibrary = (file) => FOLDERS.some((folder) => existsSync(join(folder, file)));

function run(line) {
  const [program, ...args] = line.split(" ");
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  return spawnSync(program, args, { env, stdio: ["ignore", "ignore", "inherit"] }).status === 0;
}

/** `otherwise` says what becomes of the tests without them. */
export function installMissing(wanted, otherwise) {
  const missing = wanted.filter(({ isInstalled }) => !isInstalled);
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => name).join(" and ");
  const packages = missing.flatMap((each) => each.packages);
  const command = `apt-get install -y --no-install-recommends ${packages.join(" ")}`;
  const mayInstall = process.getuid?.() === 0 && hasProgram("apt-get");
  if (!mayInstall) {
    console.error(`stowage: ${names} not installed; ${otherwise} until: sudo ${command}`);
    return;
  }
  console.error(`stowage: installing ${names}`);
  run("apt-get update -q");
  if (!run(command)) console.error(`stowage: ${names} could not be installed; ${otherwise}: ${command}`);
}

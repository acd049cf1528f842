import { createHash } from "node:crypto";
import { lstatSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** `NAME.so.SYSTEM-PID-RANDOM`: which process of which system builds there. */
const BUILDING = /\.so\.([0-9a-f]{8})-(\d+)-\w{6}$/;
/** As earlier releases had them. */
const BUILDING_BEFORE = /\.so\.\w{6}$/;
/** No build takes so long. */
const ABANDONED_AFTER_MS = 3_600_000;

/** A folder beside a library in which it is built. Those of builders that died are removed. */
export function buildingFolder(library: string): string {
  removeAbandoned(dirname(library));
  return mkdtempSync(join(dirname(library), `${basename(library)}.${thisSystem()}-${process.pid}-`));
}

function removeAbandoned(folder: string): void {
  for (const name of readdirSync(folder).filter((each) => BUILDING.test(each) || BUILDING_BEFORE.test(each)))
    if (isAbandoned(folder, name)) rmSync(join(folder, name), { recursive: true, force: true });
}

function isAbandoned(folder: string, name: string): boolean {
  const [, system, builder] = BUILDING.exec(name) ?? [];
  if (system === thisSystem() && !isAlive(Number(builder))) return true;
  const facts = lstatSync(join(folder, name), { throwIfNoEntry: false });
  return facts !== undefined && Date.now() - facts.mtimeMs > ABANDONED_AFTER_MS;
}

/** Among whose processes a number is one's alone: a boot of a machine, and a namespace (pid_namespaces(7)). */
export const thisSystem = (): string => {
  const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8");
  return createHash("sha256").update(boot).update(readlinkSync("/proc/self/ns/pid")).digest("hex").slice(0, 8);
};

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

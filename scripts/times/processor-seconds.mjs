import { readFileSync } from "node:fs";

const TICKS_A_SECOND = 100;

/**
 * What this process and those of its children that have ended took of the processors, user and system: fields 14 to 17
 * of proc_pid_stat(5). Not a number where there is no /proc.
 */
export function processorSeconds() {
  const fields = tryRead("/proc/self/stat").split(") ").at(-1).split(" ");
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_A_SECOND;
}

function tryRead(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "NaN";
  }
}

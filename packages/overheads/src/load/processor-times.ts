import { readFileSync } from "node:fs";

/** Since the machine started, in clock ticks, of the processors that this process may run on. */
export interface ProcessorTimes {
  readonly processors: number;
  /** In use by anybody: by another guest of the same host too, which is what a virtual machine calls stolen. */
  readonly busyTicks: number;
  readonly allTicks: number;
  /** Ticks of this process and of all that it started and waited for. */
  readonly ownTicks: number;
}

/** Undefined where the system has no /proc. */
export function processorTimes(read = readProc): ProcessorTimes | undefined {
  try {
    const allowed = allowedProcessors(read("self/status"));
    const lines = [...read("stat").matchAll(/^cpu(\d+) (.*)$/gm)].filter(([, cpu]) => allowed(Number(cpu)));
    const times = lines.map(([, , ticks = ""]) => ticks.trim().split(/\s+/).map(Number));
    if (times.length === 0) return undefined;
    return {
      processors: times.length,
      busyTicks: sum(times.map(busyTicks)),
      // Those of guests are in user and nice already.
      allTicks: sum(times.map((each) => sum(each.slice(0, STEAL + 1)))),
      ownTicks: ownTicks(read("self/stat")),
    };
  } catch {
    return undefined;
  }
}

const readProc = (name: string): string => readFileSync(`/proc/${name}`, "utf8");
const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

// Columns of a processor's line, proc_stat(5).
const [IDLE, WAITING_FOR_DISKS, STEAL] = [3, 4, 7];
const busyTicks = (columns: readonly number[]): number =>
  sum(columns.filter((_, column) => column <= STEAL && column !== IDLE && column !== WAITING_FOR_DISKS));

/** Fields 14 to 17 of proc_pid_stat(5): own time and that of children, as a user's and the system's. */
function ownTicks(stat: string): number {
  // The name, which comes second, may hold blanks and brackets.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return sum(fields.slice(11, 15).map(Number));
}

/** `Cpus_allowed_list: 0-3,8` of proc_pid_status(5). */
function allowedProcessors(status: string): (processor: number) => boolean {
  const list = /^Cpus_allowed_list:\s*(\S+)$/m.exec(status)?.[1];
  if (list === undefined) return () => true;
  const ranges = list.split(",").map((range) => range.split("-").map(Number));
  return (processor) => ranges.some(([first = 0, last = first]) => first <= processor && processor <= last);
}

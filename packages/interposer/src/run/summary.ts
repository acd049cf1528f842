import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Messages of a side whose datatypes are not contiguous, and why none of them can be ours; "": each can. */
interface Side {
  readonly ours: number;
  readonly native: number;
  readonly why: string;
}

/** What c/store/summary.c appends for a process; `unseen`: there were messages that nobody counted. */
interface ProcessSummary {
  readonly unseen: boolean;
  readonly sent: Side;
  readonly received: Side;
}

const SIDES = ["sent", "received"] as const;

/** A file for what the processes of a run came to, in a folder that nobody else may enter. */
export class RunSummary implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), "stowage-summary-"));
  readonly path = join(this.#folder, "summary");

  constructor() {
    closeSync(openSync(this.path, "wx", 0o600));
  }

  /** Which side had messages and none by our code, and why; undefined: none had. */
  whyNative(): string | undefined {
    const text = readFileSync(this.path, "utf8");
    return whyNative(text.split("\n").filter((line) => line !== ""));
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/**
 * Why messages stayed native, from lines of a process each. A line that is cut is of a process that could not write: it
 * is left out.
 */
export function whyNative(lines: readonly string[]): string | undefined {
  const processes = lines.flatMap((line) => processOf(line) ?? []);
  const sides = SIDES.filter((each) => isNative(processes, each));
  if (sides.length === 0) return undefined;
  const whys = new Set(sides.flatMap((each) => reasons(processes, each)));
  const which = sides.length === 2 ? "no message" : `no message that was ${sides[0]}`;
  return `${which} went by our code: ${[...whys].join("; ")}`;
}

const isNative = (processes: readonly ProcessSummary[], name: (typeof SIDES)[number]): boolean =>
  processes.every((each) => each[name].ours === 0) && processes.some((each) => each.unseen || each[name].native > 0);

const NO_CODE = "no code for their datatypes was there in time; the next run has what can be made (--verbose tells)";

const reasons = (processes: readonly ProcessSummary[], name: (typeof SIDES)[number]): readonly string[] =>
  processes.filter((each) => each.unseen || each[name].native > 0).map(({ [name]: { why } }) => why || NO_CODE);

function processOf(line: string): ProcessSummary | undefined {
  try {
    const told = JSON.parse(line) as Partial<Record<keyof ProcessSummary, unknown>> | null;
    return isSide(told?.sent) && isSide(told?.received) && typeof told?.unseen === "boolean"
      ? (told as ProcessSummary)
      : undefined;
  } catch {
    return undefined;
  }
}

/** By hand: a library that checks documents takes longer to load than all else of a run. */
function isSide(told: unknown): told is Side {
  const { ours, native, why } = (told ?? {}) as Partial<Record<keyof Side, unknown>>;
  return typeof ours === "number" && typeof native === "number" && typeof why === "string";
}

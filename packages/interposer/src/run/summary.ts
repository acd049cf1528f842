import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";

/** Messages of a side whose datatypes are not contiguous, and why none of them can be ours; "": each can. */
const side = z.object({ ours: z.number(), native: z.number(), why: z.string() });
/** What c/store/summary.c appends for a process; `unseen`: there were messages that nobody counted. */
const processSummary = z.object({ unseen: z.boolean(), sent: side, received: side });
type ProcessSummary = z.infer<typeof processSummary>;
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

/** The same of lines, a process each. One that is cut is of a process that could not write: it is left out. */
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
    return processSummary.parse(JSON.parse(line));
  } catch {
    return undefined;
  }
}

import type { Progress } from "../message/requests/progress.js";
import { Pauses } from "../message/requests/pause.js";

/** The world, as far as its end is concerned. */
interface Ending {
  readonly isRunning: boolean;
  /** Why nothing may be asked of the MPI any more. */
  readonly lost: Error | undefined;
  readonly world: { readonly rank: number; readonly size: number };
  finalize(): void;
  abort(code: number): never;
}

/**
 * What sends may take to end once the process wants to: MPI_Finalize would wait for them without a limit. Their
 * receivers may be slow, or have no processor: a rank that left them would end the others.
 */
const LIMIT_MS = 60_000;
/** From here on it is told for what. */
const SILENT_MS = 2000;
/**
 * MPICH's launcher (Hydra 4.0) drops what it has not read of a rank's output once the rank aborts: time for it to read.
 */
const READ_MS = 100;

/**
 * Finalises MPI as the process ends well. One that ends otherwise, by an exception or a code, must not: MPI_Finalize
 * waits for ranks that may themselves wait for messages of this one. Launchers end the others when a rank goes without
 * it.
 */
export function finaliseAtExit(world: Ending, progress: Progress): void {
  process.once("exit", (code) => {
    const { rank, size } = world.world;
    progress.look();
    if (world.lost !== undefined) {
      say(`rank ${rank} of ${size}: ${world.lost.message}: MPI is not finalised, its launcher ends the others`);
      process.exitCode = code === 0 ? 1 : code;
    }
    if (!world.isRunning) return;
    const remaining = remainingAfter(progress, code === 0 ? LIMIT_MS : 0, (what) =>
      say(`rank ${rank} of ${size}: ${what}`),
    );
    if (code !== 0 && size > 1) {
      const what = remaining === 0 ? "" : ` with ${requests(remaining)} under way`;
      return say(
        `rank ${rank} of ${size}: expected an exit with 0, got ${code}${what}: MPI is not finalised, its launcher ends the others`,
      );
    }
    if (remaining > 0) {
      const [subject] = progress.requestsUnderWay;
      say(
        `rank ${rank} of ${size}: expected no request under way at exit, got ${requests(remaining)}, the first a ${subject?.subject}`,
      );
      if (size === 1) return;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, READ_MS);
      return world.abort(1);
    }
    world.finalize();
  });
}

/**
 * Requests that do not end by themselves: receives, unless they were cancelled, and what has not ended within the
 * limit.
 */
function remainingAfter(progress: Progress, limitMs: number, tell: (what: string) => void): number {
  const start = performance.now();
  const pauses = new Pauses(progress);
  let isTold = false;
  do {
    progress.advanceTasks();
    for (const request of progress.requestsUnderWay) {
      try {
        request.advance();
      } catch {
        // Its own error was for whoever waited for it.
      }
    }
    const ending = progress.requestsUnderWay.filter(({ subject }) => !subject.startsWith("recv"));
    if (ending.length === 0) break;
    if (!isTold && performance.now() > start + SILENT_MS) {
      isTold = true;
      tell(`waits for ${requests(ending.length)} to end before MPI is finalised, the first a ${ending[0]?.subject}`);
    }
    pauses.next();
  } while (performance.now() < start + limitMs);
  return progress.underWay;
}

const requests = (count: number): string => (count === 1 ? "1 request" : `${count} requests`);

const say = (line: string): void => void process.stderr.write(`stowage: ${line}\n`);

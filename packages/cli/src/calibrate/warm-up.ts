import type { MeasuredBackend } from "./candidates.js";
import { gridOf } from "./measure-grid.js";
import { engineCommit } from "../contenders/engine-commit.js";

const POINTS = 48;

/**
 * Commits small datatypes for so long: the first thousand of a process take three times as long as later ones, until
 * JavaScript's compiler has optimised what they go through.
 */
export function warmUpCommits(candidates: readonly MeasuredBackend[], ms: number): void {
  const points = gridOf(POINTS).filter(({ name }) => !name.startsWith("list"));
  const end = performance.now() + ms;
  for (let i = 0; performance.now() < end; i++) {
    const { datatype } = points[i % points.length] as (typeof points)[number];
    for (const { backend, threads } of candidates)
      for (const direction of ["pack", "unpack"] as const)
        engineCommit({ backends: [backend] }, { threads })(datatype, direction)[Symbol.dispose]();
  }
}

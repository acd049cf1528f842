import type { Backend, Kernel } from "@stowage/backend-api";
import * as fc from "fast-check";
import { conditionsFor, transferFor, wholeOf, type PackDirection } from "../cases/directed.js";
import { execute, executeCall, kernelFor, moveOf, requireSupport } from "../cases/kernel-for.js";
import { Resources } from "../cases/resources.js";
import type { Transfer } from "../cases/transfer.js";
import { anyPattern, anyPlacing, anyTrial, type Placing, type Trial } from "../cases/trial.js";
import { require } from "../law-violation.js";
import type { Pattern } from "../memory/pattern.js";
import type { Range } from "../reference/byte-map.js";
import type { LawSettings } from "../settings.js";
import { assertOn } from "./law.js";

/** Memory that a move is made in, and how much of the packed stream moves there. */
interface Visit {
  readonly scattered: Placing;
  readonly packed: Placing;
  readonly pattern: Pattern;
  readonly count: number;
  /** Bytes left out at the beginning and at the end of the packed stream. */
  readonly left: readonly [number, number];
}

/** One kernel in several memories in turn, each visited as often as it stands in the order. */
interface Visiting {
  readonly direction: PackDirection;
  readonly mode: "rebind" | "call";
  readonly visits: readonly Visit[];
  readonly order: readonly number[];
  readonly trial: Trial;
}

function anyVisiting(settings: LawSettings, direction: PackDirection): fc.Arbitrary<Visiting> {
  const left = fc.oneof(fc.constant([0, 0] as const), fc.tuple(fc.nat({ max: 40 }), fc.nat({ max: 40 })));
  const visit = fc.record({
    count: fc.nat({ max: 3 }),
    left,
    scattered: anyPlacing(settings, settings.scattered),
    packed: anyPlacing(settings, settings.packed),
    pattern: anyPattern,
  });
  return fc.record({
    direction: fc.constant(direction),
    mode: fc.constantFrom("rebind" as const, "call" as const),
    visits: fc.array(visit, { minLength: 2, maxLength: 3 }),
    order: fc.array(fc.nat({ max: 2 }), { minLength: 2, maxLength: 5 }),
    trial: anyTrial(settings, { disjoint: direction === "unpack" }),
  });
}

function rangeOf({ subject }: Trial, { count, left: [before, after] }: Visit): Range {
  const { length } = wholeOf({ subject, count });
  const first = Math.min(before, length);
  return { count, first, length: Math.max(0, length - first - after) };
}

interface Visited {
  readonly transfer: Transfer;
  readonly range: Range;
}

/** Nothing of the memory before may be kept: what moves, moves where this binding says, and nowhere else. */
function keepsNothing(settings: LawSettings, visiting: Visiting, backend: Backend): void {
  const { trial, direction, visits, order, mode } = visiting;
  const conditions = conditionsFor(settings, { direction, alignment: 1, count: "any" });
  const move = moveOf(trial.subject, direction);
  requireSupport(backend, [move], conditions);
  using resources = new Resources();
  const visited = visits.map((visit): Visited => {
    const range = rangeOf(trial, visit);
    return { range, transfer: transferFor(settings, resources, { ...trial, ...visit }, direction, wholeIn(range), 1) };
  });
  const kernel = kernelFor(resources, backend, [move], conditions);
  const run = mode === "call" ? calling(settings, resources, kernel) : rebinding(settings, resources, kernel, visited);
  for (const turn of order) {
    const at = visited[turn % visited.length] as Visited;
    at.transfer.expect(at.range);
    run(at);
    visited.forEach(({ transfer }, i) => {
      const problem = transfer.problem();
      require(problem === undefined, `memory ${i} after a ${mode} in memory ${turn % visited.length}: ${problem}`);
    });
  }

  function wholeIn({ count }: Range): Range {
    return wholeOf({ subject: trial.subject, count });
  }
}

type RunIn = (at: Visited) => void;

const calling =
  (settings: LawSettings, resources: Resources, kernel: Kernel): RunIn =>
  ({ transfer, range }) =>
    executeCall(settings, resources, kernel, transfer.binding(range));

function rebinding(settings: LawSettings, resources: Resources, kernel: Kernel, visited: readonly Visited[]): RunIn {
  const { transfer, range } = visited[0] as Visited;
  const plan = resources.hold(kernel.bind([transfer.binding(range)]));
  return (at) => {
    plan.rebind(0, at.transfer.binding(at.range));
    execute(settings, plan);
  };
}

/** As applications call: the same datatype in other memory each time, held by other views. */
export function checkOtherMemory(settings: LawSettings, direction: PackDirection): void {
  assertOn(settings, `3 other memory of ${direction}`, anyVisiting(settings, direction), (visiting, backend) =>
    keepsNothing(settings, visiting, backend),
  );
}

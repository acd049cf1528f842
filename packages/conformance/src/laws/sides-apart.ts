import type { Backend, Kernel } from "@stowage/backend-api";
import { requireRefused } from "../bad-input/refusal.js";
import { conditionsFor } from "../cases/directed.js";
import { execute, kernelFor, requireSupport } from "../cases/kernel-for.js";
import { anyNeighbouring, neighboursOf, type Neighbouring, type Neighbours } from "../cases/neighbours.js";
import { Resources } from "../cases/resources.js";
import { require } from "../law-violation.js";
import type { LawSettings, MoveDirection } from "../settings.js";
import { assertOn, type Law } from "./law.js";

/**
 * Where a byte is both read and written no order of moving is right: bind and rebind refuse, and nothing is written.
 */
function refusesShared(resources: Resources, kernel: Kernel, neighbours: Neighbours): void {
  const { binding } = neighbours;
  requireRefused("bind of sides that share a byte", ["BindingError"], () => kernel.bind([binding]));
  const plan = resources.hold(kernel.bind([{ ...binding, length: 0 }]));
  requireRefused("rebind to sides that share a byte", ["BindingError"], () => plan.rebind(0, binding));
  const changed = neighbours.problem(false);
  require(changed === undefined, `memory after sides that share a byte were refused: ${changed}`);
}

/** Sides that touch, and those that lie in one another's gaps, are moved like any others. */
function movesApart(settings: LawSettings, resources: Resources, kernel: Kernel, neighbours: Neighbours): void {
  execute(settings, resources.hold(kernel.bind([neighbours.binding])));
  const problem = neighbours.problem(true);
  require(problem === undefined, `sides in one allocation that share no byte: ${problem}`);
}

function keepsApart(settings: LawSettings, neighbouring: Neighbouring, backend: Backend): void {
  const { direction } = neighbouring;
  const conditions = conditionsFor(settings, { direction, alignment: 1, count: "any" });
  using resources = new Resources();
  const neighbours = neighboursOf(settings.scattered, resources, neighbouring);
  requireSupport(backend, [neighbours.move], conditions);
  const kernel = kernelFor(resources, backend, [neighbours.move], conditions);
  if (neighbours.isShared) refusesShared(resources, kernel, neighbours);
  else movesApart(settings, resources, kernel, neighbours);
}

/** MoveDirections of which both sides can lie in one allocation. */
function directionsOf({ directions, scattered, packed }: LawSettings): readonly MoveDirection[] {
  return directions.filter((direction) => direction === "copy" || scattered.kind === packed.kind);
}

export const SIDES_APART: Law = {
  number: 10,
  title: "sides that share a byte are refused, in pack and unpack as in copy; others are moved, however close they lie",
  check: (settings) => {
    for (const direction of directionsOf(settings)) {
      const cases = anyNeighbouring(settings, direction);
      assertOn(settings, `10 sides of ${direction}`, cases, (neighbouring, backend) =>
        keepsApart(settings, neighbouring, backend),
      );
    }
  },
};

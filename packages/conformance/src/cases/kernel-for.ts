import {
  packMove,
  unpackMove,
  type Backend,
  type Conditions,
  type Kernel,
  type Move,
  type Plan,
} from "@stowage/backend-api";
import * as fc from "fast-check";
import { require } from "../law-violation.js";
import type { LawSettings } from "../settings.js";
import type { PackDirection } from "./directed.js";
import type { Resources } from "./resources.js";
import type { Subject } from "./subject.js";

export const moveOf = ({ layout }: Subject, direction: PackDirection): Move =>
  direction === "pack" ? packMove(layout) : unpackMove(layout);

/** Ends the case where the backend refuses the moves: law 5 looks at how it refuses. */
export function requireSupport(backend: Backend, moves: readonly Move[], conditions: Conditions): void {
  fc.pre(backend.supports(moves, conditions).ok);
}

export function kernelFor(
  resources: Resources,
  backend: Backend,
  moves: readonly Move[],
  conditions: Conditions,
): Kernel {
  return resources.hold(backend.load(backend.compile(moves, conditions)));
}

/** Runs a plan to its end. */
export function execute(settings: LawSettings, plan: Plan): void {
  const completion = plan.run(settings.queue());
  completion.wait();
  require(completion.poll(), "completion after wait(): expected poll() to be true, got false");
}

import {
  packMove,
  unpackMove,
  type Backend,
  type Binding,
  type Completion,
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
  requireOver(plan.run(settings.queue()));
}

/** Moves by a call, where the kernel takes one; else as a call is defined. */
export function executeCall(settings: LawSettings, resources: Resources, kernel: Kernel, binding: Binding): void {
  if (kernel.call === undefined) execute(settings, resources.hold(kernel.bind([binding])));
  else requireOver(kernel.call([binding], settings.queue()));
}

function requireOver(completion: Completion): void {
  completion.wait();
  require(completion.poll(), "completion after wait(): expected poll() to be true, got false");
}

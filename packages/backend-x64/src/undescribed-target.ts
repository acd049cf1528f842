import { probeMachine } from "./memory/machine.js";
import type { Target } from "./targets/target.js";
import { targetOf } from "./targets/target-of.js";

/**
 * Describes this machine as if nobody had described it: what cpuid states, and nothing that only measuring tells. For
 * `target` of the options.
 */
export function undescribedTarget(): Target {
  const probed = probeMachine();
  return targetOf(undefined, "machine" in probed ? probed.machine.stated : {});
}

/** Describes this machine as the backend takes it by default: by its family's description and cpuid. */
export function targetHere(): Target {
  const probed = probeMachine();
  return "machine" in probed ? probed.machine.target : targetOf(undefined);
}

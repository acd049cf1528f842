import { probeMachine } from "./memory/machine.js";
import type { Target } from "./targets/target.js";
import { targetOf } from "./targets/target-of.js";

/**
 * This machine as one that nobody has described: what cpuid states, and nothing that only measuring tells. For `target`
 * of the options.
 */
export function undescribedTarget(): Target {
  const probed = probeMachine();
  return targetOf(undefined, "machine" in probed ? probed.machine.stated : {});
}

/** This machine as x64 takes it where nothing else is said: as it is described, or else as one that nobody has. */
export function targetHere(): Target {
  const probed = probeMachine();
  return "machine" in probed ? probed.machine.target : targetOf(undefined);
}

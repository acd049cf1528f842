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

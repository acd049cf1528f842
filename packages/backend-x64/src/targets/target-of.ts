import { refined, type Geometry } from "./geometry.js";
import { goldenCove } from "./golden-cove.js";
import type { Processor } from "./processor.js";
import type { Target } from "./target.js";
import { unknown } from "./unknown.js";
import { zen3 } from "./zen-3.js";
import { zen4 } from "./zen-4.js";
import { zen5 } from "./zen-5.js";

/** The descriptions of processors. The first one that describes a processor is taken; the last describes every one. */
export const TARGETS: readonly Target[] = [zen3, zen4, zen5, goldenCove, unknown];

/** What is known of a processor, and what cpuid states of this one; undefined: of none in particular. */
export function targetOf(
  processor: Processor | undefined,
  stated: Partial<Geometry> = {},
  targets: readonly Target[] = TARGETS,
): Target {
  const found = (processor === undefined ? undefined : targets.find((each) => each.describes(processor))) ?? unknown;
  return Object.freeze({ ...found, geometry: refined(found.geometry, stated) });
}

import type { Processor, Target } from "./target.js";
import { unknown } from "./unknown.js";
import { zen4 } from "./zen-4.js";
import { zen5 } from "./zen-5.js";

/** The first that describes a processor is taken; a new one is a file and a line here. */
export const TARGETS: readonly Target[] = [zen4, zen5, unknown];

/** What is known of a processor; undefined: of none in particular. */
export const targetOf = (processor: Processor | undefined): Target =>
  (processor === undefined ? undefined : TARGETS.find((target) => target.describes(processor))) ?? unknown;

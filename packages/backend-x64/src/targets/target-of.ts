import { goldenCove } from "./golden-cove.js";
import type { CpuidProcessor, Processor, Target } from "./target.js";
import { unknown } from "./unknown.js";
import { zen4 } from "./zen-4.js";
import { zen5 } from "./zen-5.js";

/** The first that describes a processor is taken; a new one is a file and a line here. */
export const TARGETS: readonly Target[] = [zen4, zen5, goldenCove, unknown];

/** What is known of a processor by its name alone; undefined: of none in particular. */
export const describedTarget = (processor: Processor | undefined): Target =>
  (processor === undefined ? undefined : TARGETS.find((target) => target.describes(processor))) ?? unknown;

/**
 * What is known of a processor, its caches as cpuid tells. The dTLB is the description's, where there is one: virtual machines show
 * other TLBs than the processor has.
 */
export function targetOf(processor: CpuidProcessor | undefined): Target {
  const described = describedTarget(processor);
  if (processor === undefined) return described;
  const { dtlbPages = 0, ...caches } = processor.geometry;
  const pages = Math.max(described.hardware.dtlbPages, dtlbPages);
  return { ...described, hardware: { ...described.hardware, ...caches, dtlbPages: pages } };
}

import type { Target } from "./target.js";
import { unknown } from "./unknown.js";

/** Sapphire Rapids and Emerald Rapids. */
const MODELS = [0x8f, 0xcf];

/**
 * Hardware: Intel's Optimization Reference Manual (248966), section 2.3. Behaviour: results/xeon/strides.json, on which fences cost up to
 * five times and NOP padding 8 to 17 %; REP MOVSB was not tried.
 */
export const goldenCove: Target = {
  name: "Golden Cove",
  describes: ({ vendor, family, model }) => vendor === "GenuineIntel" && family === 6 && MODELS.includes(model),
  hardware: {
    ...unknown.hardware,
    l1d: { ways: 12, sets: 64 },
    l2: { ways: 16, sets: 2048 },
    llc: { ways: 15, sets: 65_536 },
  },
  behaviour: unknown.behaviour,
};

import type { Combination, ReduceRule } from "../reduce-plan.js";
import { recipeOf } from "../vector-recipes.js";

/** Vectors in flight: half of the registers for what arrives and what is there, the rest for scratch. */
const TOGETHER = 4;

/** Four vectors at a time, then one, then elements by the vectors' own instructions. */
export const combinedVectors: ReduceRule<Combination> = {
  name: "vectors",
  plan({ level }, { reduction }) {
    const recipe = recipeOf(reduction, level);
    return recipe === undefined
      ? "no vector instruction of this level combines such elements"
      : { what: "vectors", recipe, together: TOGETHER };
  },
};

import { byReach, nested } from "../../dimensions.js";
import type { NestRule } from "../../nest-rule.js";
import { run } from "../../pair.js";

/** Runs in loops by stride, the widest outermost, so that both sides are nearly sequential: what always can be done. */
export const widestOutermost: NestRule = {
  name: "widest outermost",
  plan: (_, { dimensions, lengthBytes }) => nested(byReach(dimensions), run(lengthBytes)),
};

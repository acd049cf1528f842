import { singleRounds } from "../../facts/rounds.js";
import type { StreamRule } from "../../rule.js";

/** Children one by one, several a round: what always can be done. */
export const singleBlocks: StreamRule = {
  name: "single blocks",
  plan: (context, { node, most }) => singleRounds(context, node, most),
};

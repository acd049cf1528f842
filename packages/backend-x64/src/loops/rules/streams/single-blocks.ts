import { singleRounds } from "./single-rounds.js";
import type { StreamRule } from "../../stream-rule.js";

/** Children one by one, several a round: what always can be done. */
export const singleBlocks: StreamRule = {
  name: "single blocks",
  plan: (context, { node, most }) => singleRounds(context, node, most),
};

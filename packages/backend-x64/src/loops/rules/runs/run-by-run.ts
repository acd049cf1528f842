import { isRuns, type Blocks } from "@stowage/ir";
import type { Rule } from "../../rule.js";
import type { RunsPlan } from "../../runs-plan.js";

const RUN_BY_RUN: RunsPlan = { what: "run by run" };

/** Each run by the copy of a run-time length: what always can be done. */
export const runByRun: Rule<Blocks, RunsPlan> = { name: "run by run", plan: () => RUN_BY_RUN };

export const NO_RUNS = "blocks of one length, or that are no runs";

/** Whether a table is of runs whose lengths differ. */
export const isRagged = (node: Blocks): boolean => node.blocklengths !== 1 && isRuns(node);

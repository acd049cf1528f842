import type { Blocks } from "@stowage/ir";
import type { RunsPlan } from "../../plans.js";
import type { Rule } from "../../rule.js";

const RUN_BY_RUN: RunsPlan = { what: "run by run" };

/** Each run by the copy of a run-time length: what always can be done. */
export const runByRun: Rule<Blocks, RunsPlan> = { name: "run by run", plan: () => RUN_BY_RUN };

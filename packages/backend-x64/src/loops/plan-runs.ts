import type { Blocks } from "@stowage/ir";
import type { LoopContext } from "./loop-context.js";
import { choose, type Choice, type Rule } from "./rule.js";
import { clampedMoves } from "./rules/runs/clamped-moves.js";
import { headAndTail } from "./rules/runs/head-and-tail.js";
import { maskedRuns } from "./rules/runs/masked-runs.js";
import { runByRun } from "./rules/runs/run-by-run.js";
import type { RunsPlan } from "./runs-plan.js";

/** In the order in which they are asked, of blocks of varying length; the last one always gives a plan. */
export const RUNS_RULES: readonly Rule<Blocks, RunsPlan>[] = [maskedRuns, headAndTail, clampedMoves, runByRun];

/** How runs of varying length are moved. */
export const planRuns = (context: LoopContext, node: Blocks): Choice<RunsPlan> => choose(RUNS_RULES, context, node);

import type { Prediction } from "../backend.js";
import { requireConditions, type Conditions } from "../conditions.js";
import { requireMoves, type Move } from "../move.js";
import { costNs } from "./amounts.js";
import type { CostModel } from "./cost-model.js";
import { walkOver } from "./memory-traffic.js";
import { figuresOf, type Profile } from "./profile.js";
import { scatteredSides } from "./scattered-sides.js";

/**
 * Predicts the times of a launch by a cost model and a profile: its sides run one after another, and the call is begun
 * once. A time is at least 1 ns. Throws an ArgumentError for what are no moves, conditions or profile.
 */
export function predictBy(
  model: CostModel,
  moves: readonly Move[],
  conditions: Conditions,
  profile: Profile,
): Prediction {
  requireMoves(moves);
  requireConditions(conditions);
  const host = figuresOf(profile, "host");
  const count = conditions.count === "any" ? 1 : conditions.count;
  let [commitNs, runNs, uncertainty, begun] = [0, 0, 0, 0];
  for (const move of moves) {
    for (const { direction, layout } of scatteredSides(move)) {
      const figure = figuresOf(profile, model.section, model.mode(direction, conditions));
      const walk = walkOver(layout, count);
      const least = model.runAtLeast?.(walk, conditions);
      const sideNs = costNs(model.run(walk, conditions), figure);
      runNs += least === undefined ? sideNs : Math.max(sideNs, costNs(least, figure));
      if (model.traffic !== undefined)
        runNs += costNs(model.traffic(walk, host), figuresOf(profile, "host", direction));
      commitNs += costNs(model.commit(layout), figure);
      uncertainty = Math.max(uncertainty, figure("uncertainty"));
      if (begun++ > 0) runNs -= figure("call");
    }
  }
  return { commitNs: Math.max(1, commitNs), runNs: Math.max(1, runNs), uncertainty };
}

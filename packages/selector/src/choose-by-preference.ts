import type { Backend, Conditions, Move } from "@stowage/backend-api";
import { askAll, chooseFirst, type Candidate, type Choice } from "@stowage/engine";
import { byPreference, SITUATION_TEXT, situationOf } from "./preference.js";

/** What every backend says of the moves, in order of preference; all but `forced` refuse where one was asked for. */
export function candidatesFor(
  backends: readonly Backend[],
  moves: readonly Move[],
  conditions: Conditions,
  forced?: string,
): readonly Candidate[] {
  return askAll(byPreference(backends, situationOf(moves, conditions)), moves, conditions, forced);
}

/**
 * The first backend, in order of preference, that supports the moves; or the one that `forced` names. Those after it
 * are not asked: a device's driver is looked for only where device memory is. Throws a NoBackendError where none does.
 */
export function choose(
  backends: readonly Backend[],
  moves: readonly Move[],
  conditions: Conditions,
  forced?: string,
): Choice {
  const situation = situationOf(moves, conditions);
  const reason = `first in order of preference for ${SITUATION_TEXT[situation]}`;
  return chooseFirst(byPreference(backends, situation), moves, conditions, forced, reason);
}

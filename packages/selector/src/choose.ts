import { unsupported, type Backend, type Conditions, type Move, type Support } from "@stowage/backend-api";
import { NoBackendError } from "./no-backend-error.js";
import { byPreference, SITUATION_TEXT, situationOf } from "./preference.js";

/** What one backend said when moves were to be placed. */
export interface Candidate {
  readonly backend: Backend;
  readonly support: Support;
}

export interface Choice {
  readonly chosen: Backend;
  /** Why this one, in words for the user. */
  readonly reason: string;
  /** What every backend says, in order of preference. Asks those that choosing did not need to ask. */
  readonly candidates: readonly Candidate[];
}

/** What every backend says of the moves, in order of preference; all but `forced` refuse where one was asked for. */
export function candidatesFor(
  backends: readonly Backend[],
  moves: readonly Move[],
  conditions: Conditions,
  forced?: string,
): readonly Candidate[] {
  return byPreference(backends, situationOf(moves, conditions)).map((backend) =>
    ask(backend, moves, conditions, forced),
  );
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
  const candidates = (): readonly Candidate[] => candidatesFor(backends, moves, conditions, forced);
  const chosen = byPreference(backends, situation).find(
    (backend) => ask(backend, moves, conditions, forced).support.ok,
  );
  if (chosen === undefined) throw new NoBackendError(moves, candidates(), forced);
  return {
    chosen,
    reason:
      forced === undefined ? `first in order of preference for ${SITUATION_TEXT[situation]}` : "asked for by name",
    get candidates() {
      return candidates();
    },
  };
}

function ask(backend: Backend, moves: readonly Move[], conditions: Conditions, forced: string | undefined): Candidate {
  const asked = forced === undefined || backend.name === forced;
  const support = asked ? backend.supports(moves, conditions) : unsupported(`${forced} was asked for by name`);
  return { backend, support };
}

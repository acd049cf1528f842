import { supportOf, unsupported, type Backend, type Conditions, type Move } from "@stowage/backend-api";
import type { Candidate } from "./candidate.js";
import { requireBackends } from "./require-backends.js";
import type { Course } from "./course.js";
import { NoBackendError } from "./no-backend-error.js";

/** What was chosen for a move, and what was asked. */
export interface Choice {
  /**
   * The backend that moves the bytes once all calls have been seen; where the count is not known, the one for one
   * element.
   */
  readonly chosen: Backend;
  /** Which backends move which calls, from the smallest counts on. Absent: `chosen` moves them all. */
  readonly courses?: readonly Course[];
  /** Why this one, in words for the user. */
  readonly reason: string;
  /** What every backend says, in the order they were asked. Asks those that choosing did not need to ask. */
  readonly candidates: readonly Candidate[];
}

/**
 * Chooses among the backends for some moves; the one that `forced` names, where it is given. Throws a NoBackendError
 * where none supports them.
 */
export type Choose = (
  backends: readonly Backend[],
  moves: readonly Move[],
  conditions: Conditions,
  forced?: string,
) => Choice;

/** Why a backend that was forced was chosen. */
const ASKED_BY_NAME = "asked for by name";

/**
 * Chooses the first backend that supports the moves, in the order given; those after it are not asked. Throws a
 * NoBackendError where none does, an ArgumentError where `backends` is no list of backends.
 */
export function chooseFirst(
  backends: readonly Backend[],
  moves: readonly Move[],
  conditions: Conditions,
  forced?: string,
): Choice {
  const candidates = (): readonly Candidate[] => askAll(backends, moves, conditions, forced);
  const chosen = requireBackends(backends).find((backend) => ask(backend, moves, conditions, forced).support.ok);
  if (chosen === undefined) throw new NoBackendError(moves, candidates());
  return {
    chosen,
    reason: forced === undefined ? "the first that supports it" : ASKED_BY_NAME,
    get candidates() {
      return candidates();
    },
  };
}

/**
 * What every backend says of the moves, in the order given; all but `forced` refuse where one was asked for. Throws an
 * ArgumentError where `backends` is no list of backends.
 */
export function askAll(
  backends: readonly Backend[],
  moves: readonly Move[],
  conditions: Conditions,
  forced?: string,
): readonly Candidate[] {
  return requireBackends(backends).map((backend) => ask(backend, moves, conditions, forced));
}

function ask(backend: Backend, moves: readonly Move[], conditions: Conditions, forced: string | undefined): Candidate {
  const asked = forced === undefined || backend.name === forced;
  const support = asked ? supportOf(backend, moves, conditions) : unsupported(`${forced} was ${ASKED_BY_NAME}`);
  return { backend, support };
}

import type { Backend, Conditions, Move, Profile } from "@stowage/backend-api";
import {
  askAll,
  chooseFirst,
  NoBackendError,
  type Candidate,
  type Choice,
  type Choose,
  type Course,
  type Tier,
} from "@stowage/engine";
import { coursesOf } from "./courses.js";
import { takerOf, type Correction } from "./taker.js";

const UNCORRECTED: Correction = () => 1;

/**
 * Chooses by predicted time. Backends that predict nothing were registered for a purpose: the first of them that takes
 * the moves is taken. `profile` is asked when there is something to choose.
 */
export function chooserByCost(profile: () => Profile, correction: Correction = UNCORRECTED): Choose {
  return (backends, moves, conditions, forced) => {
    if (forced !== undefined) return chooseFirst(backends, moves, conditions, forced);
    const candidates = askAll(backends, moves, conditions);
    const able = candidates.filter(({ support }) => support.ok).map(({ backend }) => backend);
    if (able.length === 0) throw new NoBackendError(moves, candidates);
    const own = able.find((backend) => backend.predict === undefined);
    if (own !== undefined) return { chosen: own, reason: "it predicts no times: first where it fits", candidates };
    const [only] = able;
    if (only !== undefined && able.length === 1)
      return { chosen: only, reason: "the only one that takes it", candidates };
    return new ChoiceByCost({ candidates, able, moves, conditions }, profile, correction);
  };
}

interface Question {
  readonly candidates: readonly Candidate[];
  readonly able: readonly Backend[];
  readonly moves: readonly Move[];
  readonly conditions: Conditions;
}

/** Nothing is predicted before it is asked for: of a datatype that is committed often one direction is used. */
class ChoiceByCost implements Choice {
  readonly reason = "least predicted time";
  readonly #question: Question;
  readonly #profile: () => Profile;
  readonly #correction: Correction;
  #courses: readonly Course[] | undefined;

  constructor(question: Question, profile: () => Profile, correction: Correction) {
    this.#question = question;
    this.#profile = profile;
    this.#correction = correction;
  }

  get courses(): readonly Course[] {
    return (this.#courses ??= this.#decide());
  }

  get chosen(): Backend {
    return (this.courses[0]?.tiers.at(-1) as Tier).backend;
  }

  get candidates(): readonly Candidate[] {
    const { candidates, moves, conditions } = this.#question;
    return withPredictions(candidates, moves, conditions, this.#profile());
  }

  #decide(): readonly Course[] {
    const { able, moves, conditions } = this.#question;
    const profile = this.#profile();
    const takers = able.flatMap((backend) => takerOf(backend, moves, conditions, profile, this.#correction) ?? []);
    const sizeBytes = moves.reduce((sum, { source }) => sum + source.sizeBytes, 0);
    return coursesOf(takers, conditions.count, sizeBytes, conditions.reuse);
  }
}

const withPredictions = (
  candidates: readonly Candidate[],
  moves: readonly Move[],
  conditions: Conditions,
  profile: Profile,
): readonly Candidate[] =>
  candidates.map(({ backend, support }) => ({
    backend,
    support,
    prediction: support.ok ? backend.predict?.(moves, conditions, profile) : undefined,
  }));

import type { Backend, Conditions, Move, Profile } from "@stowage/backend-api";
import {
  askAll,
  chooseFirst,
  NoBackendError,
  onlyCourse,
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
 * What chooses by predicted time, for an engine's `choose`. Backends that predict nothing were registered for a
 * purpose: the first of them that takes the moves is taken. That some backend takes them is found at once; else a
 * NoBackendError is thrown. All are asked, and their times predicted, when something is to be compiled: of a datatype
 * that is committed often one direction is used. `profile` is asked when there is something to choose. `correction`
 * gives the factor by which a backend's predicted times are multiplied. Default: 1.
 */
export function chooserByCost(profile: () => Profile, correction: Correction = UNCORRECTED): Choose {
  return (backends, moves, conditions, forced) => {
    if (forced !== undefined) return chooseFirst(backends, moves, conditions, forced);
    chooseFirst(backends, moves, conditions);
    return new ChoiceByCost({ backends, moves, conditions }, profile, correction);
  };
}

interface Question {
  readonly backends: readonly Backend[];
  readonly moves: readonly Move[];
  readonly conditions: Conditions;
}

/** What came of it: who moves which calls, and what every backend said. */
type Decision = Pick<Choice, "reason" | "candidates"> & { readonly courses: readonly Course[] };

class ChoiceByCost implements Choice {
  readonly #question: Question;
  readonly #profile: () => Profile;
  readonly #correction: Correction;
  #decision: Decision | undefined;

  constructor(question: Question, profile: () => Profile, correction: Correction) {
    this.#question = question;
    this.#profile = profile;
    this.#correction = correction;
  }

  get reason(): string {
    return this.#decided().reason;
  }

  get courses(): readonly Course[] {
    return this.#decided().courses;
  }

  get chosen(): Backend {
    return (this.courses[0]?.tiers.at(-1) as Tier).backend;
  }

  get candidates(): readonly Candidate[] {
    return this.#decided().candidates;
  }

  #decided(): Decision {
    return (this.#decision ??= this.#decide());
  }

  #decide(): Decision {
    const { backends, moves, conditions } = this.#question;
    const candidates = askAll(backends, moves, conditions);
    const able = candidates.filter(({ support }) => support.ok).map(({ backend }) => backend);
    if (able.length === 0) throw new NoBackendError(moves, candidates); // what took them has gone since
    const own = able.find((backend) => backend.predict === undefined);
    if (own !== undefined)
      return { courses: onlyCourse(own), reason: "it predicts no times: first where it fits", candidates };
    const [only] = able;
    if (only !== undefined && able.length === 1)
      return { courses: onlyCourse(only), reason: "the only one that takes it", candidates };
    const profile = this.#profile();
    const takers = able.flatMap((backend) => takerOf(backend, moves, conditions, profile, this.#correction) ?? []);
    const sizeBytes = moves.reduce((sum, { source }) => sum + source.sizeBytes, 0);
    return {
      courses: coursesOf(takers, conditions.count, sizeBytes, conditions.reuse),
      reason: "least predicted time",
      get candidates() {
        return withPredictions(candidates, moves, conditions, profile);
      },
    };
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

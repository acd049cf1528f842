import type { Backend, Profile } from "@stowage/backend-api";
import type { Tuning } from "@stowage/backend-cuda-generic";
import type { X64Options } from "@stowage/backend-x64";
import type { Driver } from "@stowage/cuda-driver";
import { checkOptions, type Rule, type Rules } from "@stowage/engine";
import type { DependencyContainer } from "tsyringe";

/** What `createEngine` takes. Everything may be left out. */
export interface EngineOptions {
  /** Exactly these backends, instead of Stowage's and those registered. */
  readonly backends?: readonly Backend[];
  /** A container with registrations of one's own under BACKEND; Stowage's backends join them. */
  readonly container?: DependencyContainer;
  /**
   * The backend to use for everything, by name, such as "x64". Default: what the environment variable STOWAGE_BACKEND
   * says, or else the choice by cost.
   */
  readonly backend?: string;
  /** Opens the driver of the GPUs; called once, when device memory is first asked for. Default: this machine's. */
  readonly cuda?: () => Driver;
  /**
   * How cuda-generic's kernels are shaped: `{ tier: "specialised" }` builds each layout into a kernel of its own when a
   * plan is bound, for data that moves often.
   */
  readonly cudaTuning?: Partial<Tuning>;
  /**
   * How x64 lowers layouts (docs/design/x64.md): `{ betweenCores: true }` for packed bytes that ranks on other cores
   * read at once.
   */
  readonly x64Options?: Omit<X64Options, "profile">;
  /**
   * Measured figures to choose by: a profile, the path of a file that `stowage calibrate` wrote, or "shipped". Default:
   * the environment variable STOWAGE_PROFILE, or else this machine's own, or else shipped figures.
   */
  readonly profile?: Profile | string;
  /**
   * Whether one of 64 real calls on the host is timed, and corrects what later commits predict, by a factor of 2 at
   * most. Default: false.
   */
  readonly learn?: boolean;
  /**
   * How many kernels are kept that nothing committed uses any more: the next commit of an equal datatype may. Default:
   * 64.
   */
  readonly unusedKernels?: number;
}

const A_FUNCTION: Rule = { expected: "a function", allows: (value) => typeof value === "function" };
const AN_OBJECT: Rule = { expected: "an object", allows: (value) => typeof value === "object" && value !== null };
const CONTAINER: Rule = {
  expected: "a container of tsyringe",
  allows: (value) => AN_OBJECT.allows(value) && "resolveAll" in (value as object),
};
/** What is in the list, and which numbers these may be, the engine says. */
const A_LIST: Rule = { expected: "a list of backends", allows: (value) => Array.isArray(value) };
const A_NUMBER: Rule = { expected: "an integer of 0 or more", allows: (value) => typeof value === "number" };

const isFigures = (value: unknown): boolean =>
  AN_OBJECT.allows(value) && Object.values(value as object).every((figure) => Number.isFinite(figure) && figure >= 0);
const PROFILE: Rule = {
  expected: "a profile, or the path of one",
  allows: (value) =>
    typeof value === "string" ||
    (AN_OBJECT.allows(value) &&
      AN_OBJECT.allows((value as Profile).figures) &&
      Object.values((value as Profile).figures).every(isFigures)),
};

const RULES: Rules<EngineOptions> = {
  backends: A_LIST,
  container: CONTAINER,
  backend: { expected: "a string", allows: (value) => typeof value === "string" },
  cuda: A_FUNCTION,
  cudaTuning: AN_OBJECT,
  x64Options: AN_OBJECT,
  profile: PROFILE,
  learn: { expected: "true or false", allows: (value) => typeof value === "boolean" },
  unusedKernels: A_NUMBER,
};

/** Throws an ArgumentError. */
export const checkEngineOptions = (options: EngineOptions): void => checkOptions("engine options", options, RULES);

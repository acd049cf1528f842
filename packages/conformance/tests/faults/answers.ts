import { SUPPORTED, unsupported, type Backend, type Move } from "@stowage/backend-api";
import { SimpleBackend } from "../simple/simple-backend.js";
import { RIGHT_STEPS } from "../simple/steps.js";
import type { Fault } from "./fault.js";

const { supports, predict, tableOf } = RIGHT_STEPS;

const ofManyRuns = (moves: readonly Move[]): boolean => moves.some(({ source }) => source.root.blockCount > 8);

/** Refuses what the right backend takes, but compiles it all the same. */
function refusingBackend(): Backend {
  const right = new SimpleBackend();
  return {
    name: right.name,
    supports: (moves, conditions) =>
      ofManyRuns(moves) ? unsupported("more than 8 runs") : supports(moves, conditions),
    predict: (moves, conditions, profile) => right.predict(moves, conditions, profile),
    compile: (moves, conditions) => right.compile(moves, conditions),
    load: (artifact) => right.load(artifact),
  };
}

export const SUPPORT_FAULTS: readonly Fault[] = [
  {
    name: "says no without a reason",
    law: 5,
    says: /reason of a refusal: expected one line/,
    factory: () => new SimpleBackend({ supports: (moves) => (ofManyRuns(moves) ? unsupported("") : SUPPORTED) }),
  },
  {
    name: "says yes to what it cannot compile",
    law: 5,
    says: /too many runs/,
    factory: () =>
      new SimpleBackend({
        tableOf: (layout) => {
          if (layout.root.blockCount > 8) throw new RangeError("too many runs");
          return tableOf(layout);
        },
      }),
  },
  {
    name: "says yes to an alignment at which it moves other bytes",
    law: 5,
    says: /that was said to be supported|memory/,
    factory: () =>
      new SimpleBackend({
        tableOf: (layout) => {
          const table = tableOf(layout);
          return { ...table, offsets: table.offsets.map((offset) => Math.floor(offset / 8) * 8) };
        },
      }),
  },
  {
    name: "compiles what it refuses",
    law: 5,
    says: /compile of refused moves: expected an UnsupportedMoveError, got an artifact/,
    factory: refusingBackend,
  },
  {
    name: "answers the same question now one way, now another",
    law: 5,
    says: /the same answer to the same question/,
    factory: () => {
      let asked = 0;
      return new SimpleBackend({
        supports: (moves, conditions) => (asked++ % 2 === 1 ? unsupported("not now") : supports(moves, conditions)),
      });
    },
  },
];

export const PREDICTION_FAULTS: readonly Fault[] = [
  {
    name: "predicts NaN for a count that is not known",
    law: 7,
    says: /runNs for a count of any: expected a positive number, got NaN/,
    factory: () =>
      new SimpleBackend({ predict: (_, { count }) => ({ commitNs: 1, runNs: 100 * (count === "any" ? NaN : count) }) }),
  },
  {
    name: "predicts that more elements take less time",
    law: 7,
    says: /expected .* or more/,
    factory: () =>
      new SimpleBackend({
        predict: (moves, conditions, profile) => {
          const right = predict(moves, conditions, profile);
          return conditions.count === 64 ? { ...right, runNs: 1 } : right;
        },
      }),
  },
  {
    name: "predicts that nothing takes no time",
    law: 7,
    says: /runNs .* expected a positive number, got 0/,
    factory: () => new SimpleBackend({ predict: (moves) => ({ commitNs: 1, runNs: moves[0]?.source.sizeBytes ?? 0 }) }),
  },
  {
    name: "reads the clock to predict",
    law: 7,
    says: /the same when asked again/,
    factory: () => {
      let ticks = 1;
      return new SimpleBackend({ predict: () => ({ commitNs: 1, runNs: ticks++ }) });
    },
  },
];

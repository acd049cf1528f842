import type { Backend, Conditions, Prediction } from "@stowage/backend-api";
import * as fc from "fast-check";
import { anyConditions } from "../cases/any-conditions.js";
import { moveOf, requireSupport } from "../cases/kernel-for.js";
import { anySubject, type Subject } from "../cases/subject.js";
import { require } from "../law-violation.js";
import type { LawSettings } from "../settings.js";
import { assertOn, type Law } from "./law.js";

interface Predicting {
  readonly subject: Subject;
  readonly conditions: Conditions;
}

/** What stands for the prediction of a backend that makes none. */
const NOT_PREDICTED: Prediction = { commitNs: 1, runNs: 1 };

const COUNTS = [1, 2, 3, 7, 64, 1000, 1001, 10 ** 6, 2 ** 31, 2 ** 32, 2 ** 40];

function requirePositive({ commitNs, runNs }: Prediction, count: number | "any"): void {
  for (const [name, ns] of Object.entries({ commitNs, runNs })) {
    require(Number.isFinite(ns) && ns > 0, `${name} for a count of ${count}: expected a positive number, got ${ns}`);
  }
}

function predictsSoundly(settings: LawSettings, { subject, conditions }: Predicting, backend: Backend): void {
  const moves = [moveOf(subject, "pack")];
  requireSupport(backend, moves, { ...conditions, count: "any" });
  const predict = (count: number | "any"): Prediction =>
    backend.predict?.(moves, { ...conditions, count }, settings.profile) ?? NOT_PREDICTED;
  requirePositive(predict("any"), "any");
  let before = 0;
  for (const count of COUNTS) {
    if (!backend.supports(moves, { ...conditions, count }).ok) continue;
    const prediction = predict(count);
    requirePositive(prediction, count);
    require(prediction.runNs >=
      before, `runNs for a count of ${count}: expected ${before} or more, got ${prediction.runNs}`);
    require(predict(count).runNs ===
      prediction.runNs, `runNs for a count of ${count}: expected the same when asked again`);
    before = prediction.runNs;
  }
}

export const PREDICTIONS: Law = {
  number: 7,
  title: "predictions are finite, positive, and never fall as count grows",
  check: (settings) => {
    const anyPredicting = fc.record({ conditions: anyOwnConditions(settings), subject: anySubject(settings, {}) });
    assertOn(settings, "7 predictions", anyPredicting, (predicting, backend) =>
      predictsSoundly(settings, predicting, backend),
    );
  },
};

/** Conditions of the kinds under test: others are mostly refused. */
const anyOwnConditions = (settings: LawSettings): fc.Arbitrary<Conditions> =>
  anyConditions(settings).map((conditions) => ({
    ...conditions,
    sourceKind: settings.scattered.kind,
    targetKind: settings.packed.kind,
  }));

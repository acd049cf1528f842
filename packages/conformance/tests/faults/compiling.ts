import type { Artifact, Backend } from "@stowage/backend-api";
import { SimpleBackend } from "../simple/simple-backend.js";

type Change = (artifact: Artifact) => Artifact;

/** The right backend, but for what it does to its artifacts when it compiles and when it loads them. */
export function compiling(change: Change, restore: Change = (artifact) => artifact): Backend {
  const right = new SimpleBackend();
  return {
    name: right.name,
    supports: (moves, conditions) => right.supports(moves, conditions),
    predict: (moves, conditions, profile) => right.predict(moves, conditions, profile),
    compile: (moves, conditions) => change(right.compile(moves, conditions)),
    load: (artifact) => right.load(restore(artifact)),
  };
}

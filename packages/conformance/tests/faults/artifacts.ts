import { type Artifact, type Backend } from "@stowage/backend-api";
import { SimpleBackend } from "../simple/simple-backend.js";
import type { Fault } from "./fault.js";

const compiling = (change: (artifact: Artifact) => Artifact, restore = (artifact: Artifact) => artifact): Backend => {
  const right = new SimpleBackend();
  return {
    name: right.name,
    supports: (moves, conditions) => right.supports(moves, conditions),
    predict: (moves, conditions, profile) => right.predict(moves, conditions, profile),
    compile: (moves, conditions) => change(right.compile(moves, conditions)),
    load: (artifact) => right.load(restore(artifact)),
  };
};

/** The payload is a number of something that this process keeps. */
function keepingBackend(): Backend {
  const kept: Artifact[] = [];
  return compiling(
    (artifact) => {
      const known = kept.findIndex(({ key }) => key === artifact.key);
      const number = known >= 0 ? known : kept.push(artifact) - 1;
      return { ...artifact, payload: number };
    },
    (artifact) => {
      const found = kept[artifact.payload as number];
      if (found === undefined) throw new RangeError("payload: it is not kept in this process");
      return found;
    },
  );
}

export const ARTIFACT_FAULTS: readonly Fault[] = [
  {
    name: "keeps in the process what belongs in the artifact",
    law: 8,
    says: /not kept in this process/,
    factory: keepingBackend,
  },
  {
    name: "stores the time in the artifact",
    law: 8,
    says: /expected the same bytes when compiled again/,
    factory: () => {
      let ticks = 0;
      return compiling(
        (artifact) => ({ ...artifact, payload: [artifact.payload, ticks++] }),
        (artifact) => ({ ...artifact, payload: (artifact.payload as readonly Artifact["payload"][])[0] ?? null }),
      );
    },
  },
  {
    name: "leaves the conditions out of the key",
    law: 8,
    says: /key of an artifact for other conditions: expected another/,
    factory: () => compiling((artifact) => ({ ...artifact, key: "simple-1-0123456789abcdef" })),
  },
  {
    name: "trusts an artifact's object to stay the one it compiled",
    law: 8,
    says: /TypeError|memory|byte/,
    factory: () => {
      const tables = new WeakMap<object, Artifact["payload"]>();
      return compiling(
        (artifact) => {
          const payload = {};
          tables.set(payload, artifact.payload);
          return { ...artifact, payload };
        },
        (artifact) => ({ ...artifact, payload: tables.get(artifact.payload as object) ?? [] }),
      );
    },
  },
  {
    name: "writes the name of another backend into its artifacts",
    law: 8,
    says: /backend of an artifact: expected simple, got other/,
    factory: () => compiling((artifact) => ({ ...artifact, backend: "other" })),
  },
];

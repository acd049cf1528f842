import type { Artifact } from "@stowage/backend-api";
import { compiling } from "./compiling.js";
import type { Fault } from "./fault.js";
import { keepingBackend } from "./keeping-backend.js";

export const ARTIFACT_FAULTS: readonly Fault[] = [
  {
    name: "keeps in the process what belongs in the artifact",
    law: 8,
    says: /not kept in this process/,
    factory: () => keepingBackend([]),
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

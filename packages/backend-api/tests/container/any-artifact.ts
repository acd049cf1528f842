import type { Layout } from "@stowage/ir";
import { anyLayout } from "@stowage/arbitraries";
import * as fc from "fast-check";
import { artifactKey, conditions, type Artifact, type Data, type DataTable, type Move } from "../../src/index.js";

const anyTable: fc.Arbitrary<DataTable> = fc.oneof(
  fc.uint8Array({ maxLength: 70 }),
  fc.int32Array({ maxLength: 9 }),
  fc.float64Array({ maxLength: 9 }),
  fc.bigInt64Array({ maxLength: 9 }),
);

/** Every double, every code unit, names that the encoding itself uses, and tables that are met twice. */
const anyName = fc.oneof(
  fc.string({ unit: "binary", maxLength: 5 }),
  fc.constantFrom("$table", "$number", "$", "$$x", "__proto__", "0", "\ud800"),
);

const anyData: fc.Arbitrary<Data> = anyTable.chain(
  (table) =>
    fc.letrec<{ data: Data }>((tie) => ({
      data: fc.oneof(
        { depthSize: "small" },
        fc.constant(null),
        fc.boolean(),
        fc.double(),
        fc.constantFrom(-0, NaN, Infinity, -Infinity),
        anyName,
        fc.constant<Data>(table),
        anyTable,
        fc.array(tie("data"), { maxLength: 4 }),
        fc
          .array(fc.tuple(anyName, tie("data")), { maxLength: 4 })
          .map((entries) => Object.fromEntries(entries) as Data),
      ),
    })).data,
);

const anyMove: fc.Arbitrary<Move> = fc
  .tuple(anyLayout(), anyLayout())
  .map(([source, target]: [Layout, Layout]) => ({ source, target }));

export const anyConditions = fc
  .record(
    {
      sourceKind: fc.constantFrom("host", "pinned", "device", "managed"),
      targetAlignment: fc.constantFrom(1, 2, 16),
      count: fc.oneof(fc.constant("any" as const), fc.nat()),
      smBudget: fc.integer({ min: 1, max: 132 }),
      stores: fc.constantFrom("temporal", "streaming"),
      reuse: fc.constantFrom(1, 1.5, Infinity),
    },
    { requiredKeys: [] },
  )
  .map(conditions);

export const anyArtifact: fc.Arbitrary<Artifact> = fc
  .record(
    {
      backend: fc.string({ unit: "grapheme" }),
      formatVersion: fc.nat(),
      moves: fc.array(anyMove, { maxLength: 3 }),
      conditions: anyConditions,
      payload: anyData,
      description: fc.uint8Array({ maxLength: 70 }),
    },
    { requiredKeys: ["backend", "formatVersion", "moves", "conditions", "payload"] },
  )
  .map((artifact) => ({
    ...artifact,
    key: artifactKey(artifact.backend, artifact.formatVersion, artifact.moves, artifact.conditions),
  }));

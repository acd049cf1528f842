import { conditions, hostMemory } from "@stowage/backend-api";
import { CpuBackend } from "@stowage/backend-cpu";
import { predefined, StowageError, vector } from "@stowage/ir";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { askAll, checkOptions, chooseFirst, Engine, requireNamed } from "../src/index.js";
import { wrongArgument } from "./wrong-arguments.js";

const SEED = Number(process.env["STOWAGE_SEED"] ?? 20_261_122);
const RUNS = 300;

const column = vector(4, 1, 4, predefined("MPI_DOUBLE"));
const backends = [new CpuBackend()];
const engine = new Engine({ backends });
const committed = engine.commit(column);
const copy = engine.commitCopy(column, column);
const matrix = (): Float64Array => new Float64Array(16);
const span = { memory: hostMemory(matrix()), originBytes: 0 };
const spans = { source: span, target: { ...span, originBytes: 0 }, count: 1, first: 0, length: 32 };
const plan = committed.plan("pack", matrix(), matrix());

type Call = (...wrong: readonly never[]) => unknown;

/** Each public function, with arguments of which any may be wrong. */
const FUNCTIONS: readonly (readonly [name: string, call: Call, right: readonly unknown[]])[] = [
  ["new Engine", (settings: never) => new Engine(settings), [{ backends }]],
  ["commit", (type: never, options: never) => engine.commit(type, options), [column, {}]],
  ["commitCopy", (a: never, b: never, options: never) => engine.commitCopy(a, b, options), [column, column, {}]],
  [
    "copy",
    (a: never, b: never, c: never, d: never, e: never) => engine.copy(a, b, c, d, e),
    [matrix(), column, matrix(), column, {}],
  ],
  ["pack", (a: never, b: never, options: never) => committed.pack(a, b, options), [matrix(), matrix(), {}]],
  ["unpack", (a: never, b: never, options: never) => committed.unpack(a, b, options), [matrix(), matrix(), {}]],
  [
    "plan",
    (a: never, b: never, c: never, d: never) => committed.plan(a, b, c, d)[Symbol.dispose](),
    ["pack", matrix(), matrix(), {}],
  ],
  ["rebind", (i: never, binding: never) => plan.rebind(i, binding), [0, spans]],
  [
    "rebind, by the parts of a binding",
    (source: never, target: never, count: never, first: never, length: never) =>
      plan.rebind(0, { source, target, count, first, length }),
    Object.values(spans),
  ],
  ["compile", (direction: never) => committed.compile(direction), ["pack"]],
  ["choice", (direction: never) => committed.choice(direction), ["pack"]],
  ["explain", (direction: never) => committed.explain(direction), ["unpack"]],
  ["CommittedCopy.copy", (a: never, b: never, c: never) => copy.copy(a, b, c), [matrix(), matrix(), {}]],
  [
    "CommittedCopy.plan",
    (a: never, b: never, c: never) => copy.plan(a, b, c)[Symbol.dispose](),
    [matrix(), matrix(), {}],
  ],
];

/** Arguments of which at least one was replaced. */
const withWrong = (right: readonly unknown[]): fc.Arbitrary<readonly unknown[]> =>
  fc
    .tuple(
      fc.integer({ min: 1, max: 2 ** right.length - 1 }),
      fc.array(wrongArgument(), { minLength: 5, maxLength: 5 }),
    )
    .map(([chosen, wrong]) =>
      right.map((argument, i) => (Math.floor(chosen / 2 ** i) % 2 === 1 ? wrong[i] : argument)),
    );

describe(`wrong arguments get StowageErrors alone, ${RUNS} a function, seed ${SEED}`, () => {
  test.each(FUNCTIONS)("%s", (_, call, right) => {
    fc.assert(
      fc.property(withWrong(right), (given) => {
        try {
          call(...(given as never[]));
        } catch (error) {
          if (!(error instanceof StowageError)) throw error;
          expect(error.message).not.toContain("\n");
        }
      }),
      { seed: SEED, numRuns: RUNS },
    );
  });
});

test("what a backend is chosen by takes what the engine has checked", () => {
  expect(askAll(backends, [], conditions())).toHaveLength(1);
  expect(() => chooseFirst([], [], {} as never)).toThrow(StowageError);
  expect(() => requireNamed("backend", backends, "x")).toThrow(StowageError);
  expect(() => checkOptions<object>("options", null as never, {})).toThrow(StowageError);
});

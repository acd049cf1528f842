import { fromNdarray, record, box, elementType, fromArrayInterface } from "@stowage/arrays";
import { addressSpace, conditions, decodeArtifact, encodeArtifact, hostMemory, packMove } from "@stowage/backend-api";
import { CpuBackend } from "@stowage/backend-cpu";
import { openSimulatedCuda } from "@stowage/cuda-driver";
import * as ir from "@stowage/ir";
import { createEngine } from "@stowage/selector";
import { packChunks } from "@stowage/streams";
import { describeWorkload, nearestPackedBytes, workload, workloadNames } from "@stowage/workloads";
import * as fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";

const { StowageError } = ir;

/** Wrong arguments of all calls together, at least. */
const WRONG_ARGUMENTS = 2000;
const SEED = Number(process.env["STOWAGE_SEED"] ?? 20_251_122);

type Arguments = readonly unknown[];
type Call = readonly [name: string, call: (...given: never[]) => unknown, right: () => Arguments];

const bound =
  <T extends object>(owner: T, method: keyof T): ((...given: never[]) => unknown) =>
  (...given) =>
    (owner[method] as (...given: unknown[]) => unknown).apply(owner, given);

/** Calls a function with whatever it is given, and disposes of what it makes. */
function called(call: Call[1], given: Arguments): void {
  const made: unknown = Reflect.apply(call, undefined, given);
  if (typeof made === "object" && made !== null && Symbol.dispose in made) (made as Disposable)[Symbol.dispose]();
}

const byte = ir.predefined("MPI_BYTE");
const rows = ir.vector(3, 2, 5, byte);
const engine = createEngine({ backend: "cpu" });
const other = createEngine();
const committed = engine.commit(rows);
const copying = engine.commitCopy(rows, ir.contiguous(6, byte));
const kernel = new CpuBackend().load(new CpuBackend().compile([packMove(ir.lower(rows))], conditions()));
const stored = encodeArtifact(new CpuBackend().compile([packMove(ir.lower(rows))], conditions()));
const context = openSimulatedCuda().context();
afterAll(() => [kernel, engine, other].forEach((each) => each[Symbol.dispose]()));

const bytes = (n: number): Uint8Array => new Uint8Array(n);
const span = (n: number) => ({ memory: hostMemory(bytes(n)), originBytes: 0 });
const subarrayArguments = { sizes: [4, 4], subsizes: [2, 2], starts: [1, 1], order: "C", child: byte };
const darrayArguments = {
  size: 4,
  rank: 1,
  gsizes: [8, 8],
  distribs: ["block", "cyclic"],
  dargs: [null, 2],
  psizes: [2, 2],
  order: "C",
  child: byte,
};
const matrix = () => ({ data: new Float64Array(24), shape: [4, 6], stride: [6, 1], offset: 0, dtype: "float64" });
const scattered = { count: 1, first: 0, length: 6 };

const CALLS: readonly Call[] = [
  ["predefined", ir.predefined, () => ["MPI_INT"]],
  ["contiguous", ir.contiguous, () => [3, byte]],
  ["vector", ir.vector, () => [3, 2, 5, byte]],
  ["hvector", ir.hvector, () => [3, 2, 5, byte]],
  ["indexed", ir.indexed, () => [[1, 2], [0, 4], byte]],
  ["hindexed", ir.hindexed, () => [[1, 2], [0, 4], byte]],
  ["indexedBlock", ir.indexedBlock, () => [2, [0, 4], byte]],
  ["hindexedBlock", ir.hindexedBlock, () => [2, [0, 4], byte]],
  [
    "struct",
    ir.struct,
    () => [
      [1, 2],
      [0, 8],
      [byte, rows],
    ],
  ],
  ["subarray", ir.subarray, () => [subarrayArguments]],
  ["darray", ir.darray, () => [darrayArguments]],
  ["resized", ir.resized, () => [0, 12, byte]],
  ["dup", ir.dup, () => [byte]],
  ["boundsOf", ir.boundsOf, () => [rows, { padding: "struct" }]],
  ["lower", ir.lower, () => [rows, { padding: "struct" }]],
  [
    "parseDatatype",
    ir.parseDatatype,
    () => [{ kind: "vector", count: 3, blocklength: 2, stride: 5, child: "MPI_BYTE" }],
  ],
  ["parseDatatypeText", ir.parseDatatypeText, () => ['{"kind":"dup","child":"MPI_INT"}']],
  ["printDatatype", ir.printDatatype, () => [rows]],
  ["printDatatypeText", ir.printDatatypeText, () => [rows]],
  ["signatureOf", ir.signatureOf, () => [rows]],
  ["conditions", conditions, () => [{ count: 3, threads: 2, sourceAlignment: 8, stores: "temporal" }]],
  ["hostMemory", hostMemory, () => [bytes(8)]],
  ["addressSpace", addressSpace, () => [[{ startBytes: 0, buffer: hostMemory(bytes(8)) }]]],
  ["decodeArtifact", decodeArtifact, () => [stored]],
  ["createEngine", createEngine, () => [{ backend: "cpu" }]],
  ["Engine.commit", bound(engine, "commit"), () => [rows, { count: 2, alignment: 8 }]],
  ["Engine.commit of any backend", bound(other, "commit"), () => [rows, { threads: 1 }]],
  ["Engine.commit of a name", bound(engine, "commit"), () => ["MPI_DOUBLE"]],
  ["Engine.commitCopy", bound(engine, "commitCopy"), () => [rows, ir.contiguous(6, byte), {}]],
  ["Engine.copy", bound(engine, "copy"), () => [bytes(12), rows, bytes(6), ir.contiguous(6, byte), { count: 1 }]],
  ["Committed.pack", bound(committed, "pack"), () => [bytes(12), bytes(6), { ...scattered }]],
  ["Committed.unpack", bound(committed, "unpack"), () => [bytes(6), bytes(12), { ...scattered }]],
  ["Committed.plan", bound(committed, "plan"), () => ["pack", bytes(12), bytes(6), { ...scattered }]],
  ["Committed.compile", bound(committed, "compile"), () => ["pack"]],
  ["Committed.choice", bound(committed, "choice"), () => ["pack"]],
  ["Committed.explain", bound(committed, "explain"), () => ["unpack"]],
  ["CommittedCopy.copy", bound(copying, "copy"), () => [bytes(12), bytes(6), { count: 1 }]],
  ["Kernel.bind", bound(kernel, "bind"), () => [[{ source: span(12), target: span(6), ...scattered }]]],
  ["workload", workload, () => ["NAS_LU_x/0", {}]],
  ["workloadNames", workloadNames, () => ["ddtbench"]],
  ["describeWorkload", describeWorkload, () => ["NAS_LU_x/0"]],
  ["nearestPackedBytes", nearestPackedBytes, () => ["NAS_LU_x/0", 4096]],
  ["elementType", elementType, () => ["float64"]],
  ["fromNdarray", fromNdarray, () => [matrix()]],
  ["box", box, () => [fromNdarray(matrix()), { start: [1, 2], shape: [2, 3] }]],
  [
    "fromArrayInterface",
    fromArrayInterface,
    () => [{ shape: [4, 6], typestr: "<f8", strides: null, data: bytes(192) }],
  ],
  ["record", record, () => [{ x: "f64", id: "i32" }]],
  ["packChunks", packChunks, () => [committed, bytes(12), { chunkBytes: 4 }]],
  ["Context.deviceMemory", bound(context, "deviceMemory"), () => [64]],
];

/** What plain JavaScript hands over by mistake; a buffer whose bytes are gone among it. */
function anyJunk(): fc.Arbitrary<unknown> {
  const gone = new Uint8Array(8);
  structuredClone(gone.buffer, { transfer: [gone.buffer] });
  Object.assign(gone, { [fc.toStringMethod]: () => "detached bytes" });
  return fc.constantFrom<unknown>(
    undefined,
    null,
    NaN,
    Infinity,
    -1,
    0.5,
    2 ** 53,
    1n,
    "",
    "sideways",
    true,
    {},
    [],
    [null],
    Symbol("wrong"),
    () => 1,
    { kind: "vector" },
    gone,
    new Uint8Array(1),
  );
}

type Path = readonly (string | number)[];

/** Everything in plain objects and lists: paths to what can be exchanged for something wrong. */
function pathsIn(value: unknown, path: Path = []): Path[] {
  if (path.length > 4) return [];
  const isPlain =
    Array.isArray(value) ||
    (typeof value === "object" &&
      value !== null &&
      Object.getPrototypeOf(value) === Object.prototype &&
      !Object.isFrozen(value));
  const below = isPlain ? Object.entries(value as object).flatMap(([key, each]) => pathsIn(each, [...path, key])) : [];
  return path.length === 0 ? below : [path, ...below];
}

function exchanged(value: unknown, [key, ...rest]: Path, junk: unknown): unknown {
  if (key === undefined) return junk;
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value)
    ? [...(value as unknown[])]
    : { ...(value as object) };
  (copy as Record<string, unknown>)[key] = exchanged((value as Record<string, unknown>)[key], rest, junk);
  return copy;
}

let tried = 0;
afterAll(() => console.log(`wrong arguments: ${tried} tried; seed ${SEED}`));

describe("a wrong argument is taken, or refused by a StowageError", () => {
  test.each(CALLS)("of %s", (_, call, right) => {
    expect(() => called(call, right())).not.toThrow();
    const paths = pathsIn(right());
    fc.assert(
      fc.property(fc.constantFrom(...paths), anyJunk(), (path, junk) => {
        tried++;
        const given = exchanged(right(), path, junk) as unknown[];
        try {
          called(call, given);
        } catch (error) {
          if (!(error instanceof StowageError)) throw error;
          expect(error.message).toMatch(/^\S[^\n]*$/);
        }
      }),
      { seed: SEED, numRuns: Math.ceil(WRONG_ARGUMENTS / CALLS.length) },
    );
  });
});

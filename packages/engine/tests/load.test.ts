import { ArtifactError, conditions, DisposedError, encodeArtifact, hostMemory, packMove } from "@stowage/backend-api";
import { CpuBackend } from "@stowage/backend-cpu";
import { ArgumentError, canonicalise, lower, predefined, vector } from "@stowage/ir";
import { expect, test } from "vitest";
import { Engine } from "../src/index.js";
import { CountingBackend } from "./counting-backend.js";

const column = packMove(canonicalise(lower(vector(4, 1, 4, predefined("MPI_DOUBLE")))));
const artifact = new CpuBackend().compile([column], conditions());
const foreign = { ...artifact, backend: "code" };

test("an engine loads an artifact, and the bytes of one, by the backend that made it", () => {
  using engine = new Engine({ backends: [new CountingBackend("code"), new CpuBackend()] });
  for (const stored of [artifact, encodeArtifact(artifact)]) {
    const packed = new Float64Array(4);
    using kernel = engine.load(stored, { allow: ["cpu"] });
    const source = { memory: hostMemory(Float64Array.from({ length: 16 }, (_, i) => i)), originBytes: 0 };
    const target = { memory: hostMemory(packed), originBytes: 0 };
    using plan = kernel.bind([{ source, target, count: 1, first: 0, length: 32 }]);
    plan.run();
    expect([...packed]).toEqual([0, 4, 8, 12]);
  }
});

test("an artifact of a backend that is not allowed is refused before that backend sees it", () => {
  const code = new CountingBackend("code");
  code.load = () => expect.unreachable("loaded");
  using engine = new Engine({ backends: [code, new CpuBackend()] });
  const refusal = (allow: readonly string[] | undefined, stored = foreign): unknown => {
    try {
      return engine.load(encodeArtifact(stored), allow && { allow });
    } catch (error) {
      return error;
    }
  };
  const got = "backend of an artifact: expected one of cpu, got code";
  expect(refusal(["cpu"])).toEqual(new ArtifactError(got));
  expect(refusal(["cpu", "x64"])).toEqual(new ArtifactError(got));
  const none = "backend of an artifact: expected none, for none is allowed, got code";
  expect(refusal([])).toEqual(new ArtifactError(none));
  const absent = "backend of an artifact: expected one of code, cpu, got elsewhere";
  expect(refusal(undefined, { ...artifact, backend: "elsewhere" })).toEqual(new ArtifactError(absent));
});

test("what is no artifact, no list of names or no open engine is said in a line", () => {
  const engine = new Engine({ backends: [new CpuBackend()] });
  expect(() => engine.load(new Uint8Array(100))).toThrow(ArtifactError);
  expect(() => engine.load("stored" as never)).toThrow(ArtifactError);
  expect(() => engine.load(artifact, { allow: "cpu" as never })).toThrow(ArgumentError);
  expect(() => engine.load(artifact, { allows: ["cpu"] } as never)).toThrow(ArgumentError);
  engine[Symbol.dispose]();
  expect(() => engine.load(artifact)).toThrow(DisposedError);
});

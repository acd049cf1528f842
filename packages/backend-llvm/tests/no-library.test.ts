import {
  ArtifactError,
  conditions,
  packMove,
  UNCALIBRATED,
  UnsupportedMoveError,
  type Artifact,
} from "@stowage/backend-api";
import { LlvmError } from "@stowage/llvm";
import { dense, layout, stream } from "@stowage/ir";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LlvmBackend } from "../src/index.js";
import { dataOf, FORMAT_VERSION, NAME } from "../src/payload.js";

const PATH = "STOWAGE_LLVM";
const kept = process.env[PATH];
beforeAll(() => void (process.env[PATH] = "/nowhere/libLLVM.so"));
afterAll(() => {
  if (kept === undefined) delete process.env[PATH];
  else process.env[PATH] = kept;
});

const moves = [packMove(layout(0, stream(4, 32, dense(16)), { lowerBoundBytes: 0, extentBytes: 128 }))];
const backend = new LlvmBackend();

test.runIf(process.platform === "linux" && ["x64", "arm64", "riscv64"].includes(process.arch))(
  "without a libLLVM a backend says in one line what to install, and others go on",
  () => {
    const support = backend.supports(moves, conditions());
    expect(support).toMatchObject({
      ok: false,
      reason: expect.stringMatching(
        /^libLLVM at \/nowhere\/libLLVM\.so: expected [^\n]+ apt install libllvm19$/,
      ) as string,
    });
    expect(() => backend.compile(moves, conditions())).toThrow(UnsupportedMoveError);
    expect(backend.predict(moves, conditions(), UNCALIBRATED).runNs).toBeGreaterThan(0);
  },
);

test.runIf(process.platform === "linux" && ["x64", "arm64", "riscv64"].includes(process.arch))(
  "a backend that only looks for the library finds out when it compiles, in one line, and says no from then on",
  () => {
    const looking = new LlvmBackend({ triple: "aarch64-linux-gnu", library: "look" });
    expect(looking.supports(moves, conditions())).toEqual({ ok: true });
    expect(() => looking.compile(moves, conditions())).toThrow(/backend llvm: [^\n]+libLLVM at \/nowhere/);
    expect(looking.supports(moves, conditions())).toMatchObject({ ok: false });
  },
);

test("memory of a GPU is not asked of LLVM", () => {
  expect(backend.supports(moves, conditions({ sourceKind: "device" }))).toEqual({
    ok: false,
    reason: "it moves host and pinned memory, not device memory",
  });
});

test("features are written as LLVM reads them", () => {
  expect(() => new LlvmBackend({ features: "avx2" })).toThrow(LlvmError);
  expect(() => new LlvmBackend({ features: "+avx2,bmi" })).toThrow(
    /^features: expected names with a sign each[^\n]+, got bmi$/,
  );
});

const artifactOf = (triple: string, features: string, object = new Uint8Array(0)): Artifact => ({
  backend: NAME,
  formatVersion: FORMAT_VERSION,
  key: "",
  moves,
  conditions: conditions(),
  payload: dataOf({ target: { triple, features }, object }),
});

const here = { x64: "x86_64", arm64: "aarch64", riscv64: "riscv64" }[process.arch as "x64"];

test.runIf(process.platform === "linux" && here !== undefined).each([
  ["of another processor", artifactOf("sparc64-unknown-linux-gnu", ""), /its code is for sparc64, this processor is/],
  [
    "that needs what this processor has not",
    artifactOf(`${here}-unknown-linux-gnu`, "+nothing-like-it"),
    /its code needs nothing-like-it, which this processor has not$/,
  ],
  [
    "whose object file is none",
    artifactOf(`${here}-unknown-linux-gnu`, ""),
    /expected a 64-bit little-endian ELF object/,
  ],
  [
    "of another backend",
    { ...artifactOf("", ""), backend: "x64" },
    /^artifact: expected format 1 of llvm, got format 1 of x64$/,
  ],
  [
    "of another format",
    { ...artifactOf("", ""), formatVersion: 99 },
    /expected format 1 of llvm, got format 99 of llvm$/,
  ],
  [
    "without its parts",
    { ...artifactOf("", ""), payload: { triple: 1 } },
    /expected triple, features and object, got something else$/,
  ],
] satisfies readonly (readonly [string, Artifact, RegExp])[])(
  "an artifact %s is refused in one line",
  (_, artifact, message) => {
    expect(() => backend.load(artifact)).toThrow(ArtifactError);
    expect(() => backend.load(artifact)).toThrow(message);
  },
);

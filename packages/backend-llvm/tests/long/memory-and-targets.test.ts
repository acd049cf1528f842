import { conditions, packMove, UnsupportedMoveError } from "@stowage/backend-api";
import { dense, layout, stream } from "@stowage/ir";
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { LlvmBackend } from "../../src/index.js";
import { reasonAgainst } from "../installed.js";

const reason = reasonAgainst();
const moves = [packMove(layout(0, stream(4, 32, dense(16)), { lowerBoundBytes: 0, extentBytes: 128 }))];

test.skipIf(reason === undefined)("nothing is compiled here, and the reason is one line", () =>
  expect(reason).toMatch(/^[^\n]+$/),
);

test.runIf(reason === undefined)("a triple that does not exist is refused in LLVM's words, in one line", () => {
  const backend = new LlvmBackend({ triple: "nothing-like-it" });
  expect(backend.supports(moves, conditions())).toEqual({
    ok: false,
    reason: expect.stringMatching(/^target nothing-like-it: expected one that this libLLVM has, got [^\n]+$/) as string,
  });
  expect(() => backend.compile(moves, conditions())).toThrow(UnsupportedMoveError);
});

test.runIf(reason === undefined)("code for another processor is compiled here, and not loaded", () => {
  const triple = process.arch === "arm64" ? "x86_64-linux-gnu" : "aarch64-linux-gnu";
  const backend = new LlvmBackend({ triple });
  const artifact = backend.compile(moves, conditions());
  expect(() => backend.load(artifact)).toThrow(/its code is for (aarch64|x86_64), this processor is/);
  expect(artifact.key).not.toBe(new LlvmBackend().compile(moves, conditions()).key);
});

const SHORT_OF_MEMORY = `
import koffi from "koffi";
import { readFileSync } from "node:fs";
import { conditions, packMove } from "@stowage/backend-api";
import { LlvmBackend } from "@stowage/backend-llvm";
import { dense, layout, stream } from "@stowage/ir";
const moves = [packMove(layout(0, stream(4, 32, dense(16)), { lowerBoundBytes: 0, extentBytes: 128 }))];
const backend = new LlvmBackend();
backend.compile(moves, conditions());
// Address space: what the process has, and 32 MiB.
const bytes = Number(/^VmSize:\\s+(\\d+)/m.exec(readFileSync("/proc/self/status", "utf8"))[1]) * 1024 + 2 ** 25;
koffi.load("libc.so.6").func("int setrlimit(int, const uint64_t *)")(9, BigUint64Array.of(BigInt(bytes), BigInt(bytes)));
try { backend.compile(moves, conditions()); } catch (error) { console.log(error.message); }
`;

test.runIf(reason === undefined && process.platform === "linux")(
  "where memory is short, compiling says so in one line before LLVM ends the process",
  () => {
    const child = spawnSync(process.execPath, ["--input-type=module", "-e", SHORT_OF_MEMORY], {
      encoding: "utf8",
      cwd: new URL("../..", import.meta.url).pathname,
    });
    expect(child.stdout).toMatch(/^memory to compile in: expected \d+ bytes, got none\n$/);
  },
);

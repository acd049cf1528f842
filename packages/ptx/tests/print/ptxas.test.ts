import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { instructionKernels, randomKernel } from "../../src/agreement/index.js";
import { buildKernel, print } from "../../src/index.js";

const ptxas = spawnSync("ptxas", ["--help"], { encoding: "utf8" });
const known = ptxas.status === 0 ? [...ptxas.stdout.matchAll(/'sm_(\d+)'/g)].map((match) => Number(match[1])) : [];
const archs = [...new Set(known)].filter((arch) => arch >= 75).sort((a, b) => a - b);

const hinted = buildKernel("hinted", { parameters: { a: "u64" }, maxThreads: 128, minBlocks: 2 }, (k, { a }) => {
  const hints = [{ nonCoherent: true, l1: "no_allocate", l2PrefetchBytes: 256 }, { operator: "cs" }, { operator: "cv" }] as const;
  for (const hint of hints) {
    const values = k.loadVector("global", a, { bits: 64, lanes: 4 }, hint);
    k.store("global", a, values, { bits: 64 }, { operator: "wt" });
    k.store("global", a, values, { bits: 64 }, { l1: "no_allocate" });
  }
  k.fence("system");
});

describe.skipIf(archs.length === 0)(`ptxas assembles every kernel (${archs.length === 0 ? "skipped: no ptxas on PATH" : ""})`, () => {
  test.each(archs)("for sm_%i", (arch) => {
    const folder = mkdtempSync(join(tmpdir(), "stowage-ptx-"));
    try {
      const file = join(folder, "kernels.ptx");
      const kernels = [hinted, ...instructionKernels(), ...Array.from({ length: 12 }, (_, seed) => randomKernel(seed))];
      writeFileSync(file, print(kernels, { arch }));
      // ptxas reports registers and spills on standard error, where a refusal stands too.
      const { status, stderr: report } = spawnSync("ptxas", [`-arch=sm_${arch}`, "-v", "-o", join(folder, "out.cubin"), file], {
        encoding: "utf8",
      });
      expect(status, report).toBe(0);
      expect(report).not.toContain("error");
      const registers = [...report.matchAll(/Used (\d+) registers/g)].map(([, count]) => Number(count));
      const spilledBytes = [...report.matchAll(/(\d+) bytes spill stores/g)].map(([, bytes]) => Number(bytes));
      expect(registers).toHaveLength(kernels.length);
      console.log(`sm_${arch}: at most ${Math.max(...registers)} registers, ${Math.max(...spilledBytes)} bytes spilled`);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe("targets", () => {
  test("none is printed for what is older than sm_75", () => {
    expect(() => print(hinted, { arch: 70 })).toThrow("expected sm_75 or later, got sm_70");
  });
});

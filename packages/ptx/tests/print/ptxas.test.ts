import { afterAll, describe, expect, test } from "vitest";
import { instructionKernels, randomKernel } from "../../src/agreement/index.js";
import { buildKernel, print } from "../../src/index.js";
import { assemble, AssemblyReport, ptxasArchitectures } from "../../src/ptxas/index.js";

const hinted = buildKernel("hinted", { parameters: { a: "u64" }, maxThreads: 128, minBlocks: 2 }, (k, { a }) => {
  const hints = [
    { nonCoherent: true, l1: "no_allocate", l2PrefetchBytes: 256 },
    { operator: "cs" },
    { operator: "cv" },
  ] as const;
  for (const hint of hints) {
    const values = k.loadVector("global", a, { bits: 64, lanes: 4 }, hint);
    k.store("global", a, values, { bits: 64 }, { operator: "wt" });
    k.store("global", a, values, { bits: 64 }, { l1: "no_allocate" });
  }
  k.fence("system");
});

const groups = {
  instructions: [hinted, ...instructionKernels()],
  "random kernels": Array.from({ length: 12 }, (_, seed) => randomKernel(seed)),
};
// One architecture in `npm test`, all that ptxas knows in `npm run test:long`.
const isLong = process.env["STOWAGE_TESTS"] === "long";
const archs = ptxasArchitectures().filter((arch) => isLong || arch === 90);
const report = new AssemblyReport();
afterAll(() => console.error(String(report)));

test.skipIf(archs.length === 0)("ptxas is on PATH", () => expect(archs).toContain(90));

describe.skipIf(archs.length === 0)("ptxas assembles every kernel, and spills nothing", () => {
  test.each(archs)("for sm_%i", (arch) => {
    for (const [group, kernels] of Object.entries(groups)) {
      const assembled = assemble(kernels, arch);
      report.add(arch, group, assembled);
      expect(assembled).toHaveLength(kernels.length);
      expect(assembled.filter(({ fits, spilledBytes }) => !fits || spilledBytes > 0)).toEqual([]);
    }
  });
});

describe("targets", () => {
  test("none is printed for what is older than sm_75", () => {
    expect(() => print(hinted, { arch: 70 })).toThrow("expected sm_75 or later, got sm_70");
  });
});

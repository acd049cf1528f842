import {
  canonicalise,
  contiguous,
  hindexed,
  hvector,
  indexed,
  indexedBlock,
  lower,
  predefined,
  struct,
  vector,
  type Datatype,
} from "@stowage/ir";
import type { Kernel } from "@stowage/ptx";
import { assemble, AssemblyReport, ptxasArchitectures } from "@stowage/ptx/ptxas";
import { anyLayout } from "@stowage/arbitraries";
import * as fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { encodeLayout } from "../../src/encode/encode-layout.js";
import { Lookaside } from "../../src/encode/lookaside.js";
import { KIND, NODE, NODE_BYTES } from "../../src/encode/node-record.js";
import { genericKernel } from "../../src/kernel/generic-kernel.js";
import { renderedKernels } from "./rendered-kernels.js";
import { pairedVariants, usualVariants } from "./variants.js";

const [byte, double] = [predefined("MPI_BYTE"), predefined("MPI_DOUBLE")];
const odd = hindexed([3, 7, 1, 13], [0, 5, 40, 61], byte);
const DATATYPES: readonly Datatype[] = [
  contiguous(100, double),
  vector(33, 5, 7, double),
  hvector(3, 1, 900, vector(9, 1, 3, double)),
  hvector(2, 1, 2 ** 33, double),
  indexedBlock(2, [9, 0, 30, 12], double),
  indexed([1, 3, 2, 5], [0, 4, 10, 40], vector(2, 1, 2, double)),
  odd,
  vector(5, 1, 3, odd),
  struct([2, 1, 3], [0, 64, 1000], [double, odd, vector(4, 1, 2, double)]),
];
const layouts = DATATYPES.map((datatype) => canonicalise(lower(datatype)));

// One architecture and a share of the kernels that are many in `npm test`, all of both in `npm run test:long`.
const isLong = process.env["STOWAGE_TESTS"] === "long";
const archs = ptxasArchitectures().filter((arch) => isLong || arch === 90);
const share = <Item>(items: readonly Item[]): readonly Item[] => (isLong ? items : items.filter((_, i) => i % 4 === 0));
const report = new AssemblyReport();
afterAll(() => console.error(String(report)));

interface Group {
  readonly kernels: readonly Kernel[];
  readonly mostRegisters: number;
  readonly mostSpilledBytes: (kernel: Kernel) => number;
}

/**
 * Eight words a thread in blocks of 1024 threads, as under a budget of multiprocessors, want more than 64 registers.
 */
const isCrowded = ({ name, maxThreads }: Kernel): boolean => maxThreads === 1024 && name.includes("_u8_");

function groups(): Readonly<Record<string, Group>> {
  const generic = {
    mostRegisters: 128,
    mostSpilledBytes: (kernel: Kernel) => (isCrowded(kernel) ? 640 : kernel.maxThreads === 1024 ? 160 : 64),
  };
  const none = { mostRegisters: 64, mostSpilledBytes: () => 0 };
  const specialised = (of: typeof layouts): readonly Kernel[] =>
    renderedKernels(of, 2, { tier: "specialised" }).filter(({ name }) => name === "specialised");
  const drawn = fc.sample(anyLayout({ disjoint: true }), { seed: 6, numRuns: 40 });
  const paired = share(pairedVariants()).map(genericKernel);
  return {
    usual: { ...none, kernels: usualVariants.map(genericKernel) },
    "each choice with each other": { ...generic, kernels: paired.filter((kernel) => !isCrowded(kernel)) },
    "1024 threads of 8 words": { ...generic, kernels: paired.filter(isCrowded) },
    specialised: { ...none, kernels: specialised(layouts) },
    "specialised, of random layouts": {
      ...none,
      kernels: specialised(share(drawn).map((layout) => canonicalise(layout))),
    },
  };
}

test("the specialised kernels have every kind of record built in", () => {
  const kinds = layouts.flatMap((layout) => {
    const { nodes } = encodeLayout(layout, new Lookaside(), { wide: false, coarse: true });
    const view = new DataView(nodes.buffer, nodes.byteOffset, nodes.byteLength);
    return Array.from({ length: nodes.byteLength / NODE_BYTES }, (_, i) =>
      view.getUint32(i * NODE_BYTES + NODE.kind, true),
    );
  });
  expect(new Set(kinds)).toEqual(new Set(Object.values(KIND)));
});

test.skipIf(archs.length === 0)("ptxas is on PATH", () => expect(archs).toContain(90));

describe.skipIf(archs.length === 0)(
  "ptxas assembles the generic and the specialised kernels, in the registers that their blocks have",
  () => {
    const all = archs.length === 0 ? {} : groups();
    test.each(archs)("for sm_%i", (arch) => {
      for (const [group, { kernels, mostRegisters, mostSpilledBytes }] of Object.entries(all)) {
        const assembled = assemble(kernels, arch);
        report.add(arch, group, assembled);
        const wrong = assembled.filter(
          ({ fits, registers, spilledBytes }, i) =>
            !fits || registers > mostRegisters || spilledBytes > mostSpilledBytes(kernels[i] as Kernel),
        );
        expect(kernels.length, group).toBeGreaterThan(0);
        expect.soft(wrong, group).toEqual([]);
      }
    });
  },
);

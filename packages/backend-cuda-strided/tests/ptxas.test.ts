import { conditions, packMove, reachOf, unpackMove, type Move } from "@stowage/backend-api";
import { openSimulatedCuda, type Context } from "@stowage/cuda-driver";
import { canonicalise, hvector, lower, predefined, vector, type Layout } from "@stowage/ir";
import type { Kernel } from "@stowage/ptx";
import { assemble, AssemblyReport, everyPair, ptxasArchitectures } from "@stowage/ptx/ptxas";
import { anyLayout } from "@stowage/arbitraries";
import * as fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { CudaStridedBackend, programFor, shapeName, type Shape } from "../src/index.js";

const MOST_DIMENSIONS = 16;
/** Bytes of a word and of a vector: words of less than 4 bytes may be joined. */
const ACCESSES = [
  [1, 1],
  [1, 2],
  [1, 4],
  [2, 2],
  [2, 4],
  [4, 4],
  [8, 8],
  [16, 16],
] as const;
const TWO = [false, true] as const;

/** Every shape that a move can have. */
function* allShapes(): Generator<Shape> {
  for (const direction of ["pack", "unpack"] as const)
    for (const [wordBytes, vectorBytes] of ACCESSES)
      for (let dimensions = 0; dimensions <= MOST_DIMENSIONS; dimensions++)
        for (const unitRows of dimensions === 0 ? [false] : TWO)
          for (const wide of TWO)
            for (const streams of TWO)
              for (
                let vectors = 1;
                vectors <= (streams && wordBytes > 4 ? 1 : (4 * wordBytes) / vectorBytes);
                vectors *= 2
              )
                yield {
                  direction,
                  wordBytes,
                  vectorBytes,
                  dimensions,
                  unitRows,
                  wide,
                  vectorsPerThread: vectors,
                  streams,
                };
}

/** Transposes of words of every size; which dimension they run along changes no instruction. */
function* allTransposes(): Generator<Shape> {
  for (const direction of ["pack", "unpack"] as const)
    for (const wordBytes of [1, 2, 4, 8, 16])
      for (const dimensions of [2, 3, MOST_DIMENSIONS])
        for (const streams of TWO)
          yield {
            direction,
            wordBytes,
            vectorBytes: wordBytes,
            dimensions,
            unitRows: true,
            wide: false,
            vectorsPerThread: 1,
            streams,
            along: 1,
          };
}

/** Few shapes, in which each two choices meet. */
const SHAPES = everyPair([...allShapes()]);
const TRANSPOSES = everyPair([...allTransposes()]);

/** The kernels of launches of many moves, of one shape or of up to 8. */
const ofManyMoves = (shapes: readonly Shape[]): readonly Kernel[] =>
  Array.from({ length: 12 }, (_, i) => {
    const some = shapes.filter((_shape, at) => at % 12 === i).slice(0, 1 + (i % 8));
    return programFor(some, 2 ** (1 + (i % 5))).kernel;
  });

const KINDS = conditions({ sourceKind: "device", targetKind: "device" });

/** The kernels that a backend renders for these layouts where each move gets its own. */
function specialised(layouts: readonly Layout[]): readonly Kernel[] {
  const driver = openSimulatedCuda();
  const { libcuda } = driver;
  const { rendered } = libcuda;
  const kernels: Kernel[] = [];
  libcuda.rendered = (text, kernel) => {
    kernels.push(kernel);
    rendered(text, kernel);
  };
  using context = driver.context();
  const backend = new CudaStridedBackend(() => driver, { specialise: true });
  for (const move of layouts.flatMap((layout) => [packMove(layout), unpackMove(layout)])) {
    if (backend.supports([move], KINDS).ok)
      backend.load(backend.compile([move], KINDS)).bind([bindingOf(context, move, 3)]);
  }
  return kernels;
}

/** Memory of the bytes that each side reaches. */
function bindingOf(context: Context, { source, target }: Move, count: number) {
  const length = source.sizeBytes * count;
  const side = (layout: Layout) => {
    const { lowBytes, highBytes } = reachOf(layout, { count, first: 0, length });
    return { memory: context.deviceMemory(Math.max(1, highBytes - lowBytes)), originBytes: -lowBytes };
  };
  return { source: side(source), target: side(target), count, first: 0, length };
}

const double = predefined("MPI_DOUBLE");
const NAMED = [
  vector(33, 5, 7, double),
  hvector(1000, 16, 512, predefined("MPI_BYTE")),
  hvector(24, 1, 8, vector(40, 1, 24, double)),
  hvector(2, 1, 2 ** 33, double),
  hvector(2, 1, 40_000, hvector(3, 1, 9000, hvector(2, 1, 4000, hvector(3, 1, 1000, vector(4, 1, 3, double))))),
];

interface Group {
  readonly kernels: readonly Kernel[];
  readonly mostSpilledBytes: number;
}

/** A launch of several shapes keeps a register for each stride of all of them: past so many, it spills. */
const USUAL_DIMENSIONS = 4;

function groups(): Readonly<Record<string, Group>> {
  const drawn = fc.sample(anyLayout({ disjoint: true }), { seed: 6, numRuns: 40 });
  const usual = SHAPES.filter(({ dimensions }) => dimensions <= USUAL_DIMENSIONS);
  const none = { mostSpilledBytes: 0 };
  return {
    "one move": { ...none, kernels: SHAPES.map((shape) => programFor([shape], 1).kernel) },
    "many moves": { mostSpilledBytes: 64, kernels: ofManyMoves(usual) },
    "many moves of any dimensions": { mostSpilledBytes: 2048, kernels: ofManyMoves(SHAPES) },
    transposes: { mostSpilledBytes: 16, kernels: TRANSPOSES.map((shape) => programFor([shape], 1).kernel) },
    "transposes among others": {
      mostSpilledBytes: 16,
      kernels: TRANSPOSES.filter(({ dimensions }) => dimensions <= USUAL_DIMENSIONS).map(
        (shape, i) => programFor([shape, ...usual.slice(i, i + 1)], 4).kernel,
      ),
    },
    specialised: { ...none, kernels: specialised(NAMED.map((datatype) => canonicalise(lower(datatype)))) },
    "specialised, of random layouts": { ...none, kernels: specialised(drawn.map((layout) => canonicalise(layout))) },
  };
}

// One architecture in `npm test`, all that ptxas knows in `npm run test:long`.
const isLong = process.env["STOWAGE_TESTS"] === "long";
const archs = ptxasArchitectures().filter((arch) => isLong || arch === 90);
const report = new AssemblyReport();
afterAll(() => console.error(String(report)));

it.skipIf(archs.length === 0)("ptxas is on PATH", () => expect(archs).toContain(90));

describe.skipIf(archs.length === 0)("ptxas assembles every kernel, in the registers that its blocks have", () => {
  const all = archs.length === 0 ? {} : groups();
  it.each(archs)("for sm_%i", (arch) => {
    for (const [group, { kernels, mostSpilledBytes }] of Object.entries(all)) {
      const assembled = assemble(kernels, arch);
      report.add(arch, group, assembled);
      expect(kernels.length, group).toBeGreaterThan(0);
      const wrong = assembled.filter(({ fits, spilledBytes }) => !fits || spilledBytes > mostSpilledBytes);
      expect.soft(wrong, group).toEqual([]);
    }
  });
});

it("unlike shapes have unlike names", () => {
  const shapes = [...SHAPES, ...TRANSPOSES];
  expect(new Set(shapes.map(shapeName)).size).toBe(shapes.length);
});

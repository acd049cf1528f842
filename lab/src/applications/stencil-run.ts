import type { Communicator, World } from "@stowage/mpi-bridge";
import { turnsOf } from "@stowage/bench";
import { fillInitial, partOf, serialBox, type Part } from "./domain.js";
import type { Platform, PlacedArray } from "./platform.js";
import type { StencilRow, StencilTimes } from "./row.js";
import { forEachRow } from "./stencil-loops.js";
import { flopsOf, valuesOf, type Box, type Element, type Stencil } from "./stencil.js";
import { waysOf, type Exchange } from "./stencil-ways.js";
import { medianOfSlowest } from "./slowest.js";

export interface StencilCase {
  readonly stencil: Stencil;
  readonly element: Element;
  /** Points of a rank along each dimension. */
  readonly points: number;
  readonly uneven: boolean;
  readonly iterations: number;
}

/** How much later each rank begins than the one before, where parts are uneven. */
const SKEW_MS = 0.2;
/** Parts of so many points are checked whole, larger ones in boxes. */
const CHECKED_WHOLE = 2 ** 15;
const CHECKED_EDGE = 4;
/** Each way of both arrays once. */
const CHECKED_ROUNDS = 2;

/** Milliseconds of each iteration, by what they were spent on. */
type Samples = ReturnType<typeof noSamples>;
type Phase = keyof Samples;

const noSamples = () => ({
  ...{ compute: [] as number[], pack: [] as number[], exchange: [] as number[], unpack: [] as number[] },
  ...{ halo: [] as number[], overall: [] as number[], packAlone: [] as number[], unpackAlone: [] as number[] },
});

/**
 * Runs a stencil on all ranks: its iterations exchange their halo by each way in turns, and all work on the same
 * points, so that one wrong ghost shows. The first iterations are compared with a serial run before anything is timed.
 */
export function runStencil(
  mpi: World,
  comm: Communicator,
  platform: Platform,
  grid: readonly number[],
  given: StencilCase,
): StencilRow {
  const { stencil, element, points, uneven, iterations } = given;
  const part = partOf(stencil, grid, comm.rank, points, uneven);
  using arrays = twoArrays(platform, stencil, element, part);
  const apply = platform.stencil(stencil, element, part.sizes);
  const ways = [...waysOf(mpi, comm, platform, { stencil, element, grid, part })].map(([name, make]) => ({
    name,
    exchanges: arrays.both.map(make) as [Exchange, Exchange],
    samples: noSamples(),
  }));
  const skew = uneven ? comm.rank * SKEW_MS : 0;
  let done = 0;
  const iterate = (way: (typeof ways)[number]): void => {
    const side = done++ % 2;
    const exchange = way.exchanges[side] as Exchange;
    const [from, to] = [arrays.both[side], arrays.both[1 - side]] as [PlacedArray, PlacedArray];
    comm.barrier();
    spin(skew);
    const at = [performance.now()];
    for (const work of [() => exchange.pack(), () => exchange.exchange(), () => exchange.unpack()]) {
      work();
      at.push(performance.now());
    }
    // Processes take turns on a GPU: those that unpack still would wait for the kernels of those that compute already.
    comm.barrier();
    const computing = performance.now();
    apply(from, to);
    const computeMs = performance.now() - computing;
    const [start, packed, exchanged, unpacked] = at as [number, number, number, number];
    way.samples.pack.push(packed - start);
    way.samples.exchange.push(exchanged - packed);
    way.samples.unpack.push(unpacked - exchanged);
    way.samples.halo.push(unpacked - start);
    way.samples.compute.push(computeMs);
    way.samples.overall.push(unpacked - start + computeMs);
  };
  try {
    for (let round = 0; round < CHECKED_ROUNDS; round++) ways.forEach(iterate);
    const checkedPoints = checkPart(comm, given, part, arrays.both[done % 2] as PlacedArray, done);
    for (const { samples } of ways) for (const times of Object.values(samples)) times.length = 0;
    for (let round = 0; round < iterations; round++) {
      for (const i of turnsOf(ways.length, round)) {
        const way = ways[i] as (typeof ways)[number];
        iterate(way);
        alone(comm, way.exchanges[done % 2] as Exchange, way.samples);
      }
    }
    const all = new Float64Array(1);
    comm.allreduce(Float64Array.of(checkedPoints), all);
    return {
      ...{ application: stencil.name, points, element, uneven, iterations, verified: true },
      ...{ ranks: comm.size, mpi: mpi.mpi.name, where: platform.kind, gpus: gpusOf(comm, platform) },
      packedBytes: ways[0]?.exchanges[0].sentBytes ?? 0,
      flopsPerPoint: flopsOf(stencil),
      checkedPoints: all[0] as number,
      ways: Object.fromEntries(
        ways.map(({ name, exchanges, samples }) => [name, timesOf(comm, exchanges[0].by, samples)]),
      ),
    };
  } finally {
    for (const { exchanges } of ways) for (const exchange of exchanges) exchange[Symbol.dispose]();
  }
}

/** The launches of an exchange with no messages between them. Ghosts stay: what arrived is still where it arrived. */
function alone(comm: Communicator, exchange: Exchange, samples: Samples): void {
  for (const [phase, work] of [
    ["packAlone", () => exchange.pack()],
    ["unpackAlone", () => exchange.unpack()],
  ] as const) {
    comm.barrier();
    const start = performance.now();
    work();
    samples[phase].push(performance.now() - start);
  }
}

function timesOf(comm: Communicator, by: string, samples: Samples): StencilTimes {
  const median = (phase: Phase): number => medianOfSlowest(comm, samples[phase]);
  const phases = {
    compute: median("compute"),
    pack: median("pack"),
    exchange: median("exchange"),
    unpack: median("unpack"),
  };
  const [haloMs, overallMs] = [median("halo"), median("overall")];
  return { phases, haloMs, overallMs, packAloneMs: median("packAlone"), unpackAloneMs: median("unpackAlone"), by };
}

/** How many GPUs the ranks of this host take. */
const gpusOf = (comm: Communicator, { gpu }: Platform): number =>
  gpu === undefined ? 0 : Math.min(comm.size, gpu.driver.devices.length);

function twoArrays(platform: Platform, stencil: Stencil, element: Element, part: Part) {
  const length = part.sizes.reduce((a, b) => a * b, 1);
  const values = valuesOf(element, length);
  const origin = part.origin.map((at) => at - stencil.radius);
  fillInitial(stencil, values, part.sizes, { origin, whole: part.whole, ghosts: part });
  const both = [0, 1].map(() => {
    const array = platform.array(element, length);
    array.write(values);
    return array;
  });
  return { both, [Symbol.dispose]: () => both.forEach((array) => array[Symbol.dispose]()) };
}

/** Throws on every rank where one of its points is not what a serial run leaves; how many were looked at. */
function checkPart(comm: Communicator, given: StencilCase, part: Part, array: PlacedArray, iterations: number): number {
  const { stencil, element } = given;
  let wrong = "";
  let checked = 0;
  for (const box of checkedBoxes(part)) {
    const serial = serialBox(stencil, element, part.whole, shifted(box, part.origin), iterations);
    const lengths = box.high.map((high, k) => high - (box.low[k] as number));
    const from = { low: serial.low, high: serial.low.map((low, k) => low + (lengths[k] as number)) };
    const expected: number[] = [];
    forEachRow(from, serial.sizes, (first, length) => expected.push(...serial.values.subarray(first, first + length)));
    let at = 0;
    forEachRow(
      shifted(
        box,
        box.low.map(() => stencil.radius),
      ),
      part.sizes,
      (first, length, point) => {
        const got = array.read(first, length);
        for (const value of got) {
          const due = expected[at++] ?? NaN;
          if (value !== due && wrong === "") wrong = `${due} at ${point.join(" ")} of rank ${comm.rank}, got ${value}`;
        }
      },
    );
    checked += at;
  }
  const all = new Float64Array(comm.size);
  comm.allgather(Float64Array.of(wrong === "" ? 0 : 1), all);
  if (!all.includes(1)) return checked;
  throw new Error(
    `${stencil.name} of ${given.points} points: expected ${wrong === "" ? `a serial run's, got others on rank ${all.indexOf(1)}` : wrong}`,
  );
}

const shifted = ({ low, high }: Box, by: readonly number[]): Box => ({
  low: low.map((at, k) => at + (by[k] as number)),
  high: high.map((at, k) => at + (by[k] as number)),
});

/** Own points as boxes: all of them, or some at every corner, edge and face, and in the middle. */
function checkedBoxes({ inner }: Part): readonly Box[] {
  if (inner.reduce((a, b) => a * b, 1) <= CHECKED_WHOLE) return [{ low: inner.map(() => 0), high: inner }];
  return Array.from({ length: 3 ** inner.length }, (_, i) => {
    const low = inner.map((length, k) => Math.floor(((length - CHECKED_EDGE) * (Math.floor(i / 3 ** k) % 3)) / 2));
    return { low, high: low.map((at) => at + CHECKED_EDGE) };
  });
}

function spin(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end;);
}

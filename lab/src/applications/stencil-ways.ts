import { predefined, StowageError, subarray, type Datatype } from "@stowage/ir";
import { haloExchange, type Communicator, type HaloOptions, type World } from "@stowage/mpi-bridge";
import type { PlacedArray, Platform } from "./platform.js";
import { STENCILS, type Element, type Stencil } from "./stencil.js";
import { coordinatesOf, type Part } from "./domain.js";

/** One way to exchange the halo of an array, in its phases. */
export interface Exchange extends Disposable {
  pack(): void;
  exchange(): void;
  unpack(): void;
  /** Who packs and unpacks. */
  readonly by: string;
  readonly sentBytes: number;
}

export interface HaloCase {
  readonly stencil: Stencil;
  readonly element: Element;
  readonly grid: readonly number[];
  readonly part: Part;
}

export type ExchangeOf = (array: PlacedArray) => Exchange;

/**
 * The ways of one memory, by name; the last is what others have without us: on the host the MPI's own datatypes between
 * neighbours, on a device the driver's own copies, region by region, and TEMPI's alltoallv.
 */
export function waysOf(
  mpi: World,
  comm: Communicator,
  platform: Platform,
  given: HaloCase,
): ReadonlyMap<string, ExchangeOf> {
  const engine = platform.engine();
  const ours =
    (options: Pick<HaloOptions, "exchange" | "engine">): ExchangeOf =>
    (array) =>
      ourExchange(comm, platform, given, array, { engine, ...options });
  const ways = new Map([
    ["persistent", ours({ exchange: "persistent" })],
    ["alltoallv", ours({ exchange: "alltoallv" })],
  ]);
  if (platform.kind === "host") return ways.set("native", (array) => nativeExchange(mpi, comm, given, array));
  for (const exchange of ["ipc", "nccl"] as const)
    if (isPossible(comm, platform, exchange, engine)) ways.set(exchange, ours({ exchange }));
  return ways.set("copies", ours({ exchange: "alltoallv", engine: platform.engine("dma") }));
}

/** Whether GPUs reach each other so: all ranks find the same. */
function isPossible(
  comm: Communicator,
  platform: Platform,
  exchange: "ipc" | "nccl",
  engine: HaloOptions["engine"],
): boolean {
  using array = platform.array("float", 3 * comm.size);
  try {
    haloExchange(comm, {
      ...{ array: { memory: array.memory, sizes: [3], element: elementOf("float") }, grid: [comm.size] },
      ...{ radius: 1, exchange, engine, ...platform.halo },
    })[Symbol.dispose]();
    return true;
  } catch (error) {
    if (error instanceof StowageError) return false;
    throw error;
  }
}

const elementOf = (element: Element): Datatype => predefined(element === "float" ? "MPI_FLOAT" : "MPI_DOUBLE");

function ourExchange(
  comm: Communicator,
  platform: Platform,
  { stencil, element, grid, part }: HaloCase,
  { memory }: PlacedArray,
  options: Pick<HaloOptions, "exchange" | "engine">,
): Exchange {
  const plan = haloExchange(comm, {
    ...{ array: { memory, sizes: part.sizes, element: elementOf(element) }, grid, ...platform.halo, ...options },
    radius: stencil.radius,
    periodic: grid.map(() => stencil.periodic),
  });
  return {
    pack: () => plan.pack(),
    exchange: () => plan.exchange(),
    unpack: () => plan.unpack(),
    by: plan.explain(),
    sentBytes: plan.sentBytes,
    [Symbol.dispose]: () => plan[Symbol.dispose](),
  };
}

/** A persistent send and receive of a subarray a neighbour: the MPI packs, inside the exchange. */
function nativeExchange(mpi: World, comm: Communicator, given: HaloCase, { memory }: PlacedArray): Exchange {
  const regions = regionsOf(given, comm.rank);
  const types = regions.flatMap(({ sent, received }) => [sent, received].map((type) => mpi.commit(type, NATIVE)));
  const requests = regions.flatMap(({ neighbour, direction, opposite }, i) => {
    const [out, into] = [types[2 * i], types[2 * i + 1]].map((datatype) => ({
      buffer: memory,
      datatype: datatype as NonNullable<typeof datatype>,
      count: 1,
    })) as [MessageOf, MessageOf];
    return [comm.recvInit(into, neighbour, { tag: opposite }), comm.sendInit(out, neighbour, { tag: direction })];
  });
  return {
    pack: () => undefined,
    exchange() {
      for (const request of requests) request.start();
      for (const request of requests) request.wait();
    },
    unpack: () => undefined,
    by: `${mpi.mpi.name}, ${regions.length} subarrays each way`,
    sentBytes: types.reduce((sum, { sizeBytes }, i) => sum + (i % 2 === 0 ? sizeBytes : 0), 0),
    [Symbol.dispose]() {
      for (const held of requests) held.free();
      for (const type of types) type[Symbol.dispose]();
    },
  };
}

const NATIVE = { carrier: "native" } as const;
type MessageOf = Extract<Parameters<Communicator["send"]>[0], { readonly count: number }>;

interface Region {
  readonly neighbour: number;
  readonly direction: number;
  readonly opposite: number;
  readonly sent: Datatype;
  readonly received: Datatype;
}

function regionsOf({ stencil, element, grid, part }: HaloCase, rank: number): readonly Region[] {
  const { dimensions, radius, periodic } = STENCILS[stencil.name];
  const coordinates = coordinatesOf(grid, rank);
  const all = Array.from({ length: 3 ** dimensions }, (_, i) =>
    grid.map((__, k) => (Math.floor(i / 3 ** (dimensions - 1 - k)) % 3) - 1),
  );
  return all.flatMap((steps, direction): Region[] => {
    const there = coordinates.map((at, k) => at + (steps[k] as number));
    const isOutside = there.some((at, k) => !periodic && (at < 0 || at >= (grid[k] as number)));
    if (isOutside || steps.every((step) => step === 0)) return [];
    const neighbour = there.reduce(
      (at, to, k) => at * (grid[k] as number) + ((to + (grid[k] as number)) % (grid[k] as number)),
      0,
    );
    const subsizes = steps.map((step, k) => (step === 0 ? (part.inner[k] as number) : radius));
    const starts = (ghost: number) =>
      steps.map((step, k) => {
        if (step === 0) return radius;
        return step < 0 ? radius - ghost : (part.inner[k] as number) + ghost;
      });
    const typeAt = (ghost: number): Datatype =>
      subarray({ sizes: part.sizes, subsizes, starts: starts(ghost), order: "C", child: elementOf(element) });
    return [{ neighbour, direction, opposite: all.length - 1 - direction, sent: typeAt(0), received: typeAt(radius) }];
  });
}

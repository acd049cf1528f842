import { conditions, hostMemory, packMove, unpackMove, type Buffer, type Move, type Span } from "@stowage/backend-api";
import { summarise, turnsOf } from "@stowage/bench";
import { canonicalise, hvector, lower, predefined, type Datatype } from "@stowage/ir";
import type { Communicator, Hints, World } from "@stowage/mpi-bridge";
import type { Engine } from "@stowage/selector";
import type { Platform, PlacedArray } from "./platform.js";
import type { VectorRow, VectorTimes } from "./row.js";

/** What follows a block in the papers' vectors: the pitch that copies of two dimensions like best. */
const STRIDE_BYTES = 512;
const FLOAT_BYTES = 4;
const OUTSIDE = 0xee;

/** Communicators of the same ranks: messages of one go by the host, of the other they may go from GPU to GPU. */
export interface Comms {
  readonly comm: Communicator;
  readonly direct: Communicator;
}

export interface VectorCase {
  readonly blockBytes: number;
  readonly packedBytes: number;
  readonly iterations: number;
}

/** One end of a message of a vector in some way. */
interface End extends Disposable {
  send(to: number): void;
  receive(from: number): void;
  readonly by?: string;
}

/** The arrays that an end sends from and receives into. */
interface Arrays {
  readonly out: PlacedArray;
  readonly into: PlacedArray;
}

type EndOf = (arrays: Arrays) => End;

/**
 * A vector between ranks 0 and 1, there and back, by each way in turns (Jenkins et al. 2014, figure 6; Pearson et al.
 * 2021, figure 11): packed, sent as bytes and unpacked. What came back is compared with what went, byte by byte, gaps
 * too.
 */
export function runVector(mpi: World, { comm, direct }: Comms, platform: Platform, given: VectorCase): VectorRow {
  const { blockBytes, packedBytes, iterations } = given;
  const blocks = packedBytes / blockBytes;
  const type = hvector(blocks, blockBytes, STRIDE_BYTES, predefined("MPI_BYTE"));
  const pattern = patternOf(blocks, blockBytes);
  using held = heldArrays(platform, pattern, comm.rank);
  const ways = [...endsOf(mpi, { comm, direct }, platform, type)].map(([name, make]) => ({
    name,
    end: make(held),
    samples: [] as number[],
  }));
  try {
    for (const { name, end } of ways) {
      held.into.write(blank(pattern.length));
      turn(comm, end);
      requireSame(comm, `${name} of ${packedBytes} bytes in blocks of ${blockBytes}`, pattern, held.into);
    }
    for (const { end } of ways) for (let i = 0; i < WARM_UPS; i++) turn(comm, end);
    for (let round = 0; round < iterations; round++) {
      for (const i of turnsOf(ways.length, round)) {
        const { end, samples } = ways[i] as (typeof ways)[number];
        comm.barrier();
        const start = performance.now();
        turn(comm, end);
        samples.push(((performance.now() - start) / 2) * 1e6);
      }
    }
    const gpus = platform.gpu === undefined ? 0 : Math.min(2, platform.gpu.driver.devices.length);
    return {
      ...{
        application: "vectors",
        ranks: comm.size,
        mpi: mpi.mpi.name,
        where: platform.kind,
        gpus,
        iterations,
        verified: true,
      },
      ...{ blockBytes, packedBytes },
      ways: Object.fromEntries(ways.map(({ name, end, samples }) => [name, timesOf(samples, end.by)])),
    };
  } finally {
    for (const { end } of ways) end[Symbol.dispose]();
  }
}

const WARM_UPS = 3;

function timesOf(samples: readonly number[], by: string | undefined): VectorTimes {
  const { medianNs, minNs, maxNs } = summarise([...samples]);
  return { medianNs, minNs, maxNs, ...(by === undefined ? {} : { by }) };
}

/** Rank 1 sends back what arrived, from where it arrived. */
function turn(comm: Communicator, end: End): void {
  if (comm.rank === 0) end.send(1);
  end.receive(1 - comm.rank);
  if (comm.rank === 1) end.send(0);
}

function endsOf(mpi: World, { comm, direct }: Comms, platform: Platform, type: Datatype): ReadonlyMap<string, EndOf> {
  const by =
    (hints: Hints, over = comm): EndOf =>
    (arrays) =>
      messageEnd(mpi, over, type, arrays, hints);
  if (platform.kind === "host")
    return new Map([
      ["baseline", by({ carrier: "native" })],
      ["packed", by({ carrier: "packed" })],
      ["automatic", by({})],
    ]);
  return new Map([
    ["baseline", (arrays: Arrays) => packedEnd(comm, platform, platform.engine(), type, arrays, "dma")],
    ["one-shot", by({ carrier: "one-shot" })],
    ["staged", by({ carrier: "staged" })],
    ["pipelined", by({ carrier: "pipelined" })],
    ...(platform.kind === "device" ? [["device", by({ carrier: "ipc" }, direct)] as const] : []),
    ["automatic", by({}, direct)],
  ]);
}

/** The bridge's own messages. */
function messageEnd(mpi: World, comm: Communicator, type: Datatype, { out, into }: Arrays, hints: Hints): End {
  const datatype = mpi.commit(type, { reuse: MANY, ...hints });
  const [sent, received] = [out, into].map(({ memory }) => ({ buffer: memory, datatype, count: 1 })) as [
    MessageOf,
    MessageOf,
  ];
  return {
    send: (to) => comm.send(sent, to),
    receive: (from) => comm.recv(received, from),
    by: comm.explain(sent, 1 - comm.rank).form,
    [Symbol.dispose]: () => datatype[Symbol.dispose](),
  };
}

/** What a message is used for here, at least. */
const MANY = 1_000_000;
type MessageOf = Extract<Parameters<Communicator["send"]>[0], { readonly count: number }>;

/** Packed into pinned memory, sent as bytes, and unpacked from there: plans that are bound once. */
function packedEnd(
  comm: Communicator,
  platform: Platform,
  engine: Engine,
  type: Datatype,
  { out, into }: Arrays,
  backend: string,
): End {
  const layout = canonicalise(lower(type));
  const packed = platform.halo.pinned?.(layout.sizeBytes) as (Buffer & { bytes: Uint8Array } & Disposable) | undefined;
  const bytes = packed?.bytes ?? new Uint8Array(layout.sizeBytes);
  const stream: Span = { memory: packed ?? hostMemory(bytes), originBytes: 0 };
  const [pack, unpack] = [
    bound(
      engine,
      backend,
      packMove(layout),
      { memory: out.memory as Buffer, originBytes: 0 },
      stream,
      layout.sizeBytes,
    ),
    bound(
      engine,
      backend,
      unpackMove(layout),
      stream,
      { memory: into.memory as Buffer, originBytes: 0 },
      layout.sizeBytes,
    ),
  ];
  return {
    send(to) {
      pack.plan.run(platform.halo.queue).wait();
      comm.send(bytes, to);
    },
    receive(from) {
      comm.recv(bytes, from);
      unpack.plan.run(platform.halo.queue).wait();
    },
    by: pack.by === unpack.by ? pack.by : `${pack.by}, ${unpack.by}`,
    [Symbol.dispose]() {
      for (const side of [pack, unpack]) side[Symbol.dispose]();
      packed?.[Symbol.dispose]();
    },
  };
}

function bound(engine: Engine, backend: string, move: Move, source: Span, target: Span, length: number) {
  const given = conditions({
    ...{ count: 1, reuse: Infinity, sourceKind: kindOf(source), targetKind: kindOf(target) },
  });
  const { chosen } = engine.choiceFor([move], given, { backend });
  const kernel = chosen.load(chosen.compile([move], given));
  const plan = kernel.bind([{ source, target, count: 1, first: 0, length }]);
  return {
    plan,
    by: chosen.name,
    [Symbol.dispose]() {
      plan[Symbol.dispose]();
      kernel[Symbol.dispose]();
    },
  };
}

const kindOf = ({ memory }: Span) => (memory as Buffer).kind;

/** Rank 0 sends from one array and receives into another; rank 1 sends back from where it received. */
function heldArrays(platform: Platform, pattern: Float32Array, rank: number): Arrays & Disposable {
  const arrays = Array.from({ length: rank === 0 ? 2 : 1 }, () => platform.array("float", pattern.length));
  const [out, into = out] = arrays as [PlacedArray, PlacedArray?];
  out.write(rank === 0 ? pattern : blank(pattern.length));
  return { out, into, [Symbol.dispose]: () => arrays.forEach((array) => array[Symbol.dispose]()) };
}

const asBytes = ({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

function blank(length: number): Float32Array {
  const values = new Float32Array(length);
  asBytes(values).fill(OUTSIDE);
  return values;
}

/** Blocks of bytes that no two beside each other share, in gaps of OUTSIDE. */
function patternOf(blocks: number, blockBytes: number): Float32Array {
  const values = blank(((blocks - 1) * STRIDE_BYTES + Math.ceil(blockBytes / FLOAT_BYTES) * FLOAT_BYTES) / FLOAT_BYTES);
  const bytes = asBytes(values);
  for (let i = 0, byte = 0; i < blocks; i++) {
    for (let at = i * STRIDE_BYTES; at < i * STRIDE_BYTES + blockBytes; at++, byte++)
      bytes[at] = (byte * 131 + (byte >> 8) * 17) & 255;
  }
  return values;
}

function requireSame(comm: Communicator, what: string, pattern: Float32Array, array: PlacedArray): void {
  const wrong = new Float64Array(1);
  if (comm.rank === 0)
    wrong[0] = Buffer.compare(asBytes(array.read(0, pattern.length) as Float32Array), asBytes(pattern)) === 0 ? 0 : 1;
  comm.bcast(wrong, 0);
  if (wrong[0] !== 0) throw new Error(`vectors: ${what}: expected the bytes that were sent, got others`);
}

import { copyBytes } from "@stowage/cuda-driver";
import { predefined } from "@stowage/ir";
import { summarise, turnsOf } from "@stowage/bench";
import type { Communicator, World } from "@stowage/mpi-bridge";
import type { Platform, PlacedArray } from "./platform.js";
import type { VectorRow } from "./row.js";
import type { Comms } from "./vectors.js";

const PATTERN = 0x5c;
const FLOAT_BYTES = 4;
const WARM_UPS = 3;

/** One of TEMPI's four operations; where it leaves its bytes is looked at before it is timed. */
interface Operation {
  /** 2 where there and back are two messages, of which the time of one is told. */
  readonly divisor: 1 | 2;
  run(): void;
  arrived(): Uint8Array;
}

/**
 * Contiguous bytes from GPU to host and back, and between the memories of two ranks (Pearson et al. 2021, figure 9a),
 * in turns. On the host there are messages between hosts alone.
 */
export function runTransfer(
  mpi: World,
  { comm, direct }: Comms,
  platform: Platform,
  packedBytes: number,
  iterations: number,
): VectorRow {
  const held: Disposable[] = [];
  const hold = <Held extends Disposable>(thing: Held): Held => {
    held.push(thing);
    return thing;
  };
  try {
    const ways = Object.entries(operations({ comm, direct }, platform, packedBytes, hold)).map(([name, operation]) => ({
      ...{ name, operation },
      samples: [] as number[],
    }));
    for (const { name, operation } of ways) {
      for (let i = 0; i < WARM_UPS; i++) operation.run();
      requireBytes(comm, name, operation.arrived());
    }
    for (let round = 0; round < iterations; round++)
      for (const i of turnsOf(ways.length, round)) {
        const { operation, samples } = ways[i] as (typeof ways)[number];
        comm.barrier();
        const start = performance.now();
        operation.run();
        samples.push(((performance.now() - start) * 1e6) / operation.divisor);
      }
    const gpus = platform.gpu === undefined ? 0 : Math.min(2, platform.gpu.driver.devices.length);
    return {
      ...{ application: "transfers", ranks: comm.size, mpi: mpi.mpi.name, where: platform.kind, gpus, iterations },
      ...{ blockBytes: packedBytes, packedBytes, verified: true },
      ways: Object.fromEntries(
        ways.map(({ name, samples }) => {
          const { medianNs, minNs, maxNs } = summarise(samples);
          return [name, { medianNs, minNs, maxNs }];
        }),
      ),
    };
  } finally {
    for (const thing of held.reverse()) thing[Symbol.dispose]();
  }
}

function operations(
  { comm, direct }: Comms,
  platform: Platform,
  bytes: number,
  hold: <Held extends Disposable>(thing: Held) => Held,
): Readonly<Record<string, Operation>> {
  const { gpu } = platform;
  if (gpu === undefined) {
    const [out, into] = [new Uint8Array(bytes).fill(PATTERN), new Uint8Array(bytes)];
    return { "cpu-cpu": { divisor: 2, run: () => thereAndBack(comm, out, into), arrived: () => into } };
  }
  const { context, stream } = gpu;
  const [out, into] = [hold(context.pinnedMemory(bytes)), hold(context.pinnedMemory(bytes))];
  const length = Math.ceil(bytes / FLOAT_BYTES);
  const [from, to] = [hold(platform.array("float", length)), hold(platform.array("float", length))];
  out.bytes.fill(PATTERN);
  const pattern = new Float32Array(length);
  new Uint8Array(pattern.buffer).fill(PATTERN);
  from.write(pattern);
  const addressOf = (array: PlacedArray): number => (array.memory as { readonly address: number }).address;
  const copy = (target: number, source: number): (() => void) => {
    const ready = copyBytes(context, target, source, bytes);
    return () => {
      ready.run(stream);
      stream.synchronize();
    };
  };
  const message = (array: PlacedArray) => ({ buffer: array.memory as Uint8Array, datatype: BYTE, count: bytes });
  const landed = () => bytesIn(to.read(0, length) as Float32Array, bytes);
  return {
    d2h: { divisor: 1, run: copy(into.address, addressOf(from)), arrived: () => into.bytes },
    h2d: { divisor: 1, run: copy(addressOf(to), out.address), arrived: landed },
    "cpu-cpu": { divisor: 2, run: () => thereAndBack(comm, out.bytes, into.bytes), arrived: () => into.bytes },
    "gpu-gpu": { divisor: 2, run: () => thereAndBack(direct, message(from), message(to)), arrived: landed },
  };
}

const BYTE = predefined("MPI_BYTE");
const bytesIn = ({ buffer, byteOffset }: Float32Array, bytes: number): Uint8Array =>
  new Uint8Array(buffer, byteOffset, bytes);

type MessageOf = Parameters<Communicator["send"]>[0];

function thereAndBack(comm: Communicator, out: MessageOf, into: MessageOf): void {
  if (comm.rank === 0) comm.send(out, 1);
  comm.recv(into, 1 - comm.rank);
  if (comm.rank === 1) comm.send(out, 0);
}

function requireBytes(comm: Communicator, name: string, bytes: Uint8Array): void {
  const wrong = new Float64Array(1);
  comm.allreduce(Float64Array.of(bytes.every((byte) => byte === PATTERN) ? 0 : 1), wrong);
  if (wrong[0] !== 0) throw new Error(`transfers: ${name}: expected the bytes that were sent, got others`);
}

import type { EncodedShape } from "@stowage/bench/plain-c";
import { boundsOf } from "@stowage/ir";
import { check, exportDatatype, type MpiDatatype } from "@stowage/mpi-abi";
import type { Communicator, World } from "@stowage/mpi-bridge";
import koffi from "koffi";
import type { CLoops } from "./c-loops.js";
import type { Contender } from "./contender.js";
import type { Exchange } from "./exchange.js";
import type { Side } from "./side.js";

/** By the MPI's own committed datatypes. */
export const NATIVE = "native";
/** By loops that are written for the datatype. */
export const MANUAL = "manual";
/** As many contiguous bytes, that nobody packs: what no datatype can pass. */
export const BYTES = "bytes";

const addressOf = (view: ArrayBufferView): bigint => BigInt(koffi.address(view));

/** What C does with an exchange: with the MPI's types, with loops by hand where there are some, and with bytes. */
export function cContenders(mpi: World, comm: Communicator, loops: CLoops, exchange: Exchange): readonly Contender[] {
  const family = exchange.pattern === "ping-pong" ? "ping_pong" : "all_to_all";
  const packed = [exchange.out, exchange.into].map(({ datatype, count }) => count * boundsOf(datatype).sizeBytes);
  const staging = packed.map((bytes) => new Uint8Array(bytes).fill(1)) as [Uint8Array, Uint8Array];
  const types = [exchange.out, exchange.into].map(({ datatype }) => exportDatatype(mpi.mpi, datatype));
  const shapes = [exchange.out, exchange.into].map((side) => shapeOf(loops, side));
  const job = jobOf(comm, loops, exchange, staging, types, shapes);
  const held = [job, staging, shapes] as const; // the job holds addresses alone
  const contender = (name: string): Contender => {
    const call = functionOf(loops, `${name}_${family}`);
    return {
      name,
      run: (turns) => check(mpi.mpi, `MPI calls of ${name}`, call(held[0], turns)),
      [Symbol.dispose]: () => (name === NATIVE ? types.forEach((type) => type[Symbol.dispose]()) : undefined),
    };
  };
  const byHand = shapes.some((shape) => shape === undefined) ? [] : [contender(MANUAL)];
  return [contender(NATIVE), ...byHand, contender(BYTES)];
}

const shapeOf = (loops: CLoops, { name, datatype, count }: Side): EncodedShape | undefined =>
  loops.shapeOf(name.replace(/@.*/, ""), datatype, count, boundsOf(datatype).extentBytes);

type Run = (job: BigInt64Array, turns: number) => number;
const RUN = koffi.proto("int stowage_exchange(const void *, long)");

const functionOf = (loops: CLoops, symbol: string): Run => koffi.decode(BigInt(loops.addressOf(symbol)), RUN) as Run;

/** The struct job of ping-pong.c. */
function jobOf(
  comm: Communicator,
  loops: CLoops,
  { packedBytes, out, into }: Exchange,
  [sent, received]: readonly [Uint8Array, Uint8Array],
  types: readonly MpiDatatype[],
  shapes: readonly (EncodedShape | undefined)[],
): BigInt64Array {
  const side = (at: number, { memory, originBytes, count }: Side, act: "pack" | "unpack"): readonly bigint[] => {
    const shape = shapes[at];
    const elements = addressOf(memory) + BigInt(originBytes);
    const byHand = shape === undefined ? 0 : loops.addressOf(`${act}_${shape.name}`);
    const parameters = shape === undefined ? 0n : addressOf(shape.words);
    return [elements, BigInt(count), BigInt(types[at]?.handle ?? 0), parameters, BigInt(byHand)];
  };
  return BigInt64Array.from([
    ...[comm.rank, comm.handle, packedBytes].map(BigInt),
    ...[addressOf(sent), addressOf(received)],
    ...side(0, out, "pack"),
    ...side(1, into, "unpack"),
  ]);
}

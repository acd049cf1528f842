import { requireEqualBytes } from "./require-equal-bytes.js";
import type { Communicator, World } from "@stowage/mpi-bridge";
import { cContenders } from "./c-contenders.js";
import type { CLoops } from "./c-loops.js";
import type { Contender } from "./contender.js";
import { clear, type Exchange } from "./exchange.js";
import { allAgree, timeInTurns } from "./measure.js";
import { CHUNK_BYTES, CHUNKED, OUR_SERIES, ourContender } from "./our-contenders.js";
import type { PingPongRow } from "./row.js";

/** What moves no elements, and so cannot be compared with them. */
const UNPACKED = "bytes";

/** Two ranks as a plain communicator, and as one whose messages go in chunks. */
export interface Communicators {
  readonly comm: Communicator;
  readonly chunked: Communicator;
}

export interface Refused {
  readonly who: string;
  readonly why: string;
}

/** The rows of one exchange, and in a line each who could not take part or moved other bytes. */
export interface BenchedExchange {
  readonly rows: readonly PingPongRow[];
  readonly refusals: readonly Refused[];
  readonly differences: readonly string[];
}

/**
 * Measures one exchange with every contender; each is checked byte by byte before it is timed and after. Both ranks
 * call it.
 */
export function benchExchange(
  mpi: World,
  comms: Communicators,
  loops: CLoops,
  exchange: Exchange,
  budgetMs: number,
): BenchedExchange {
  const refusals: Refused[] = [];
  const differences: string[] = [];
  const { comm } = comms;
  const all = [...cContenders(mpi, comm, loops, exchange), ...ourContenders(mpi, comms, exchange, refusals)];
  try {
    const sound = (contender: Contender): boolean => isSound(comm, contender, exchange, differences);
    const able = all.filter(sound);
    const times = timeInTurns(comm, able, budgetMs);
    const rows = able.flatMap((contender, i): PingPongRow[] => {
      if (!sound(contender)) return [];
      const { workload, pattern, count, packedBytes } = exchange;
      const route = contender.route?.() ?? "";
      const { medianNs, minNs, maxNs, runs } = times[i] as PingPongRow;
      const what = { workload, pattern, count, packedBytes, mpi: mpi.mpi.name, contender: contender.name };
      return [{ ...what, ...(route === "" ? {} : { route }), medianNs, minNs, maxNs, runs, verified: true }];
    });
    return { rows, refusals, differences };
  } finally {
    for (const contender of all) contender[Symbol.dispose]();
  }
}

/** Those of our series that take the datatypes on both ranks. */
function ourContenders(
  mpi: World,
  { comm, chunked }: Communicators,
  exchange: Exchange,
  refusals: Refused[],
): readonly Contender[] {
  return Object.entries(OUR_SERIES).flatMap(([name, hints]) => {
    let made: Contender | undefined;
    if (name === CHUNKED && !isLong(exchange)) return [];
    try {
      made = ourContender(mpi, name === CHUNKED ? chunked : comm, exchange, name, hints);
    } catch (error) {
      refusals.push({ who: name, why: (error as Error).message });
    }
    if (allAgree(comm, made !== undefined)) return [made as Contender];
    made?.[Symbol.dispose]();
    return [];
  });
}

/** Collectives go in one piece in any case. */
const isLong = ({ pattern, packedBytes }: Exchange): boolean => pattern === "ping-pong" && packedBytes > CHUNK_BYTES;

/** Whether one turn leaves every byte as it must be, on both ranks. */
function isSound(comm: Communicator, contender: Contender, exchange: Exchange, differences: string[]): boolean {
  clear(exchange);
  comm.barrier();
  contender.run(1);
  if (contender.name === UNPACKED) return true;
  try {
    requireEqualBytes(`${contender.name} on ${exchange.workload}`, exchange.expected, exchange.into.memory);
    return allAgree(comm, true);
  } catch (error) {
    differences.push((error as Error).message);
    return allAgree(comm, false);
  }
}

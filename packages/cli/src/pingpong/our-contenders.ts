import type { BridgeType, Communicator, Elements, Hints, World } from "@stowage/mpi-bridge";
import { hostMemory } from "@stowage/backend-api";
import type { Datatype } from "@stowage/ir";
import type { Contender } from "./contender.js";
import type { Exchange } from "./exchange.js";
import type { Side } from "./side.js";

/** Packed, sent and unpacked chunk by chunk, where both ranks agreed on that; of use to messages of several chunks. */
export const CHUNKED = "chunked";
export const CHUNK_BYTES = 64 * 1024;

/** Series of ours: as the bridge chooses, always packed by one backend, in chunks, and always by the MPI's types. */
export const OUR_SERIES: Readonly<Record<string, Hints>> = {
  chosen: { carrier: "auto" },
  x64: { carrier: "packed", backend: "x64" },
  cpu: { carrier: "packed", backend: "cpu" },
  llvm: { carrier: "packed", backend: "llvm" },
  [CHUNKED]: { carrier: "packed" },
  "native from Node": { carrier: "native" },
};

/** Exchanges through the bridge from Node. Throws where the backend does not take the datatypes. */
export function ourContender(
  mpi: World,
  comm: Communicator,
  exchange: Exchange,
  name: string,
  hints: Hints,
): Contender {
  const types: BridgeType[] = [];
  const committed = (datatype: Datatype): BridgeType => {
    const known = types.find((type) => type.datatype === datatype);
    if (known === undefined) types.push(mpi.commit(datatype, hints));
    return known ?? (types.at(-1) as BridgeType);
  };
  const messageOf = ({ datatype, memory, originBytes, count }: Side): Elements => {
    const type = committed(datatype);
    if (hints.carrier !== "native" && type.dense === undefined) type.committed.compile("pack");
    return { buffer: { memory: hostMemory(memory), originBytes }, datatype: type, count };
  };
  const dispose = (): void => types.forEach((type) => type[Symbol.dispose]());
  try {
    const into = messageOf(exchange.into);
    const out = exchange.out === exchange.into ? into : messageOf(exchange.out);
    const turn = exchange.pattern === "ping-pong" ? pingPong(comm, out, into) : () => comm.alltoall(out, into);
    return {
      name,
      run: (turns) => {
        for (let i = 0; i < turns; i++) turn();
      },
      route: () => comm.explain(out, 1 - comm.rank).carrier,
      [Symbol.dispose]: dispose,
    };
  } catch (error) {
    dispose();
    throw error;
  }
}

function pingPong(comm: Communicator, out: Elements, into: Elements): () => void {
  if (comm.rank === 0)
    return () => {
      comm.send(out, 1);
      comm.recv(into, 1);
    };
  return () => {
    comm.recv(into, 0);
    comm.send(out, 0);
  };
}

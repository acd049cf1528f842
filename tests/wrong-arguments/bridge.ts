import { measureTerms, processGrid, openMpi, type Communicator, type Request, type World } from "@stowage/mpi-bridge";
import { findMpis } from "@stowage/mpi-abi";
import { vector } from "@stowage/ir";
import { bound, refusing, type Call } from "./call.js";
import { byte, bytes, rows, span } from "./subjects.js";

/** `node scripts/set-up-mpi.mjs` installs one. */
export const hasMpi = findMpis({ ...process.env, STOWAGE_MPI: "" }).length > 0;

let opened: World | undefined;

/**
 * A world of one rank: every message is to itself. What nobody answers ends by its time limit. It is not finalised:
 * messages that nobody received are under way.
 */
export function mpi(): World {
  if (opened !== undefined) return opened;
  opened = openMpi({ finalize: "never" });
  opened.world.settings = { timeoutMs: 20 };
  return opened;
}

let cart: Communicator | undefined;
const grid = (): Communicator => (cart ??= mpi().world.createCart([1], { periods: [true] }) as Communicator);

const isRequest = (value: unknown): value is Request =>
  typeof value === "object" && value !== null && "isActive" in value && "cancel" in value;

/** A method of an object that there is once MPI runs; nobody waits for what it begins. */
export const late =
  <T extends object>(owner: () => T, method: keyof T): Call[1] =>
  (...given) => {
    const result: unknown = bound(owner(), method)(...given);
    if (!isRequest(result)) return result;
    if (result.isActive && result.isCancellable) result.cancel();
    return void result.free();
  };

export const world = () => mpi().world;
export const elements = () => ({ buffer: span(64), datatype: vector(2, 1, 2, byte), count: 2 });
const parts = () => ({ buffer: bytes(16), datatype: byte, counts: [3], displacements: [1] });
const typedParts = () => ({ buffer: bytes(16), datatypes: [byte], counts: [3], displacementsBytes: [1] });
const twoParts = () => ({ buffer: bytes(16), datatype: byte, counts: [3, 3], displacements: [1, 5] });
const twoTyped = () => ({ buffer: bytes(16), datatypes: [byte, byte], counts: [3, 3], displacementsBytes: [1, 5] });
const ndarray = () => ({ data: new Float64Array(12), shape: [2, 4], stride: [2, 3], offset: 0 });

const MESSAGES: readonly Call[] = [
  ["Communicator.isend", late(world, "isend"), () => [elements(), 0, { tag: 3 }]],
  ["Communicator.isend of a typed array", late(world, "isend"), () => [new Float64Array(3), 0, { tag: 3 }]],
  ["Communicator.isend of an ndarray", late(world, "isend"), () => [ndarray(), 0, { tag: 3 }]],
  ["Communicator.issend", late(world, "issend"), () => [elements(), 0, { tag: 30 }]],
  ["Communicator.irecv", late(world, "irecv"), () => [elements(), 0, { tag: 4 }]],
  ["Communicator.sendrecv", late(world, "sendrecv"), () => [elements(), 0, elements(), 0, { sendTag: 5, recvTag: 5 }]],
  ["Communicator.send", refusing(late(world, "send")), () => [bytes(8), 0, { tag: 60 }]],
  ["Communicator.ssend", refusing(late(world, "ssend")), () => [bytes(8), 0, { tag: 61 }]],
  ["Communicator.recv", refusing(late(world, "recv")), () => [bytes(8), 0, { tag: 62 }]],
  ["Communicator.probe", refusing(late(world, "probe")), () => [0, { tag: 63 }]],
  ["Communicator.mprobe", refusing(late(world, "mprobe")), () => [0, { tag: 64 }]],
  ["Communicator.bindSend", late(world, "bindSend"), () => [bytes(8), 0, { tag: 65 }]],
  ["Communicator.bindRecv", late(world, "bindRecv"), () => [bytes(8), 0, { tag: 66 }]],
  ["Communicator.ssendInit", late(world, "ssendInit"), () => [elements(), 0, { tag: 67 }]],
  ["Communicator.explain", late(world, "explain"), () => [elements(), 0]],
  ["Communicator.sendInit", late(world, "sendInit"), () => [elements(), 0, { tag: 6 }]],
  ["Communicator.recvInit", late(world, "recvInit"), () => [elements(), 0, { tag: 7 }]],
  ["Communicator.iprobe", late(world, "iprobe"), () => [0, { tag: 8 }]],
  ["Communicator.improbe", late(world, "improbe"), () => [0, { tag: 9 }]],
];

/** A property that is set. */
const named =
  (set: (value: never) => unknown): Call[1] =>
  (...given) =>
    void set(given[0] as never);

let ownWorld: Communicator | undefined;
const duplicate = (): Communicator => (ownWorld ??= mpi().world.dup());
const settings = () => ({ checks: "none", hints: { route: "packed", reuse: 3 }, operations: "mpi", timeoutMs: 20 });

const COLLECTIVES: readonly Call[] = [
  ["Communicator.bcast", late(world, "bcast"), () => [elements(), 0]],
  ["Communicator.gather", late(world, "gather"), () => [elements(), bytes(4), 0]],
  ["Communicator.gatherv", late(world, "gatherv"), () => [bytes(3), parts(), 0]],
  ["Communicator.scatter", late(world, "scatter"), () => [elements(), bytes(4), 0]],
  ["Communicator.scatterv", late(world, "scatterv"), () => [parts(), bytes(3), 0]],
  ["Communicator.allgather", late(world, "allgather"), () => [bytes(4), elements()]],
  ["Communicator.allgatherv", late(world, "allgatherv"), () => [bytes(3), parts()]],
  ["Communicator.alltoall", late(world, "alltoall"), () => [bytes(4), elements()]],
  ["Communicator.alltoallv", late(world, "alltoallv"), () => [parts(), parts()]],
  ["Communicator.alltoallw", late(world, "alltoallw"), () => [typedParts(), typedParts()]],
  ["Communicator.reduce", late(world, "reduce"), () => [new Int32Array(3), new Int32Array(3), { op: "sum" }, 0]],
  ["Communicator.allreduce", late(world, "allreduce"), () => [new Int32Array(3), new Int32Array(3), { op: "max" }]],
  ["Communicator.scan", late(world, "scan"), () => [new Int32Array(3), new Int32Array(3), { op: "sum" }]],
  ["Communicator.exscan", late(world, "exscan"), () => [new Int32Array(3), new Int32Array(3), { op: "sum" }]],
  [
    "Communicator.reduceScatter",
    late(world, "reduceScatter"),
    () => [new Int32Array(3), new Int32Array(3), [3], { op: "sum" }],
  ],
  [
    "Communicator.reduceScatterBlock",
    late(world, "reduceScatterBlock"),
    () => [new Int32Array(3), new Int32Array(3), { op: "sum" }],
  ],
  ["Communicator.planReduction", late(world, "planReduction"), () => [new Int32Array(3), { op: "sum" }]],
  ["Communicator.alltoallPeers", late(world, "alltoallPeers"), () => [new Map(), new Map(), { timeoutMs: 20 }]],
  ["Communicator.neighborAllgatherv", late(grid, "neighborAllgatherv"), () => [bytes(3), twoParts()]],
  ["Communicator.neighborAlltoall", late(grid, "neighborAlltoall"), () => [bytes(6), bytes(6)]],
  ["Communicator.neighborAlltoallv", late(grid, "neighborAlltoallv"), () => [twoParts(), twoParts()]],
  ["Communicator.neighborAlltoallw", late(grid, "neighborAlltoallw"), () => [twoTyped(), twoTyped()]],
  ["Communicator.neighborAllgather", late(grid, "neighborAllgather"), () => [bytes(3), bytes(6)]],
];

/** Each of those that begin: they take what their like that blocks takes. */
const BEGINNING: readonly Call[] = COLLECTIVES.flatMap(([name, , right]): Call[] => {
  const method = `i${name.slice("Communicator.".length)}` as keyof Communicator & string;
  const owner = /neighbor/.test(method) ? grid : world;
  const takes = method === "ialltoallPeers" ? () => right().slice(0, 2) : right;
  return (method as string) === "iplanReduction" ? [] : [[`Communicator.${method}`, late(owner, method), takes]];
});

const COMMUNICATORS: readonly Call[] = [
  ["Communicator.dup", late(world, "dup"), () => [{ pipeline: { chunkBytes: 4096, depth: 2 }, signatures: "check" }]],
  ["Communicator.split", late(world, "split"), () => [0, 0]],
  ["Communicator.splitShared", late(world, "splitShared"), () => [0]],
  ["Communicator.createCart", late(world, "createCart"), () => [[1, 1], { periods: [true, false], reorder: false }]],
  ["Communicator.createGraph", late(world, "createGraph"), () => [[1], [0], false]],
  [
    "Communicator.createDistGraph",
    late(world, "createDistGraph"),
    () => [[0], [0], { sourceWeights: [1], destinationWeights: [1], reorder: false }],
  ],
  ["Communicator.coords", late(grid, "coords"), () => [0]],
  ["Communicator.cartRank", late(grid, "cartRank"), () => [[0]]],
  ["Communicator.shift", late(grid, "shift"), () => [0, 1]],
  ["Communicator.cartSub", late(grid, "cartSub"), () => [[true]]],
  ["Communicator.name", named((name) => (world().name = name)), () => ["world"]],
  ["Communicator.settings", named((given) => (duplicate().settings = given)), () => [settings()]],
  ["Communicator.setInfo", late(() => world().dup(), "setInfo"), () => [{ stowage_route: "packed", other: "x" }]],
];

const packer = () => mpi().packer;
const arriving = () => world().irecv(bytes(1), 0, { tag: 99 });
/** A request that is over, and one that nobody answers. */
const requests = () => [world().isend(bytes(1), 0, { tag: 98 }), cancelled(arriving())];

function cancelled(request: Request): Request {
  request.cancel();
  return request;
}

const OTHERS: readonly Call[] = [
  ["openMpi", (...given: never[]) => void openMpi(...(given as unknown as [])), () => [{ finalize: "never" }]],
  ["measureTerms", measureTerms, () => [mpi()]],
  ["processGrid", processGrid, () => [12, 3]],
  ["World.commit", late(mpi, "commit"), () => [rows, { reuse: 3, backend: "cpu", route: "packed" }]],
  ["World.typeOf", late(mpi, "typeOf"), () => ["MPI_DOUBLE"]],
  ["World.routesOf", late(mpi, "routesOf"), () => [elements()]],
  ["Packer.pack", late(packer, "pack"), () => [elements(), bytes(64), 4]],
  ["Packer.unpack", late(packer, "unpack"), () => [bytes(64), 4, elements()]],
  ["Packer.packSize", late(packer, "packSize"), () => [elements()]],
  ["Packer.packExternal", late(packer, "packExternal"), () => ["external32", elements(), bytes(64), 4]],
  ["Packer.unpackExternal", late(packer, "unpackExternal"), () => ["external32", bytes(64), 4, elements()]],
  ["Packer.packExternalSize", late(packer, "packExternalSize"), () => ["external32", elements()]],
  ["Many.startAll", late(() => mpi().requests, "startAll"), () => [[]]],
  ["Many.waitSome", late(() => mpi().requests, "waitSome"), () => [requests(), { timeoutMs: 20 }]],
  ["Many.testAny", late(() => mpi().requests, "testAny"), () => [requests()]],
  ["Many.waitAll", late(() => mpi().requests, "waitAll"), () => [requests()]],
  ["Many.testAll", late(() => mpi().requests, "testAll"), () => [requests()]],
  ["Many.waitAny", late(() => mpi().requests, "waitAny"), () => [requests()]],
  ["Many.testSome", late(() => mpi().requests, "testSome"), () => [requests()]],
];

const status = () => world().sendrecv(bytes(8), 0, bytes(8), 0, { sendTag: 97, recvTag: 97 });
const STATUSES: readonly Call[] = [
  ["Status.count", late(status, "count"), () => [mpi().typeOf("MPI_INT")]],
  ["Status.elements", late(status, "elements"), () => [mpi().typeOf("MPI_INT")]],
];

/** Each names "Communicator", "World" and their kin by the first word before the dot. */
export const BRIDGE: readonly Call[] = [
  ...MESSAGES,
  ...COLLECTIVES,
  ...BEGINNING,
  ...COMMUNICATORS,
  ...STATUSES,
  ...OTHERS,
];

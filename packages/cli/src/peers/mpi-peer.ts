import {
  addressOf,
  fragmentBytesOf,
  fragmentName,
  hasNativeCalls,
  NativeCall,
  ring,
  targetOf,
  type CellMemory,
  type Created,
  type OpenCell,
  type Peer,
  type Variant,
} from "@stowage/bench/peers";
import { boundsOf, lower, type Datatype } from "@stowage/ir";
import {
  check,
  constructDatatype,
  exportDatatype,
  finalise,
  initialise,
  loadMpi,
  PackPlan,
  type Mpi,
  type MpiDatatype,
} from "@stowage/mpi-abi";

/** A user's MPI: MPI_Pack and MPI_Unpack. Throws one line where it cannot be loaded or does not start. */
export function mpiPeer(path: string): Peer {
  const mpi = loadMpi(path);
  initialise(mpi);
  return {
    name: mpi.name,
    open: (cell) => open(mpi, cell),
    create: (datatype) => create(mpi, datatype),
    [Symbol.dispose]: () => finalise(mpi),
  };
}

function open(mpi: Mpi, cell: CellMemory): OpenCell {
  // All contenders move the same bytes: those of the layout that ir lowers to without options.
  const datatype = exportDatatype(mpi, cell.datatype, { bounds: "standard" });
  const move = (): (() => void) => mover(mpi, datatype, cell, 0, cell.count);
  const runs = { bound: move, call: () => rotating(move) };
  const inOneCall = cell.modes.map((mode): Variant => ({
    name: mpi.name,
    mode,
    target: targetOf(cell),
    run: runs[mode](),
  }));
  const { variant, refusal } = inFragments(mpi, datatype, cell);
  return {
    variants: variant === undefined ? inOneCall : [...inOneCall, variant],
    refusals: refusal === undefined ? [] : [refusal],
    [Symbol.dispose]: () => datatype[Symbol.dispose](),
  };
}

/** Other arguments each time, as ours have other views: a C program pays nothing to pass them. */
function rotating(move: () => () => void): () => void {
  const next = ring(move);
  return () => next()();
}

/** MPI_Pack stops only between elements: fragments are as many whole elements as fit. */
function inFragments(
  mpi: Mpi,
  datatype: MpiDatatype,
  cell: CellMemory,
): { readonly variant?: Variant; readonly refusal?: string } {
  const pieceBytes = fragmentBytesOf(cell);
  if (pieceBytes === undefined) return {};
  const elementBytes = boundsOf(cell.datatype).sizeBytes;
  const most = Math.floor(pieceBytes / elementBytes);
  if (most === 0) {
    return { refusal: "not in fragments where one element is larger: MPI_Pack cannot stop inside an element" };
  }
  const moves = Array.from({ length: Math.ceil(cell.count / most) }, (_, i) =>
    mover(mpi, datatype, cell, i * most, Math.min(most, cell.count - i * most)),
  );
  const run = (): void => {
    for (const move of moves) move();
  };
  return { variant: { name: fragmentName(mpi.name, pieceBytes), mode: "bound", target: targetOf(cell), run } };
}

/** One MPI_Pack or MPI_Unpack of `count` elements from element `first` on. */
function mover(mpi: Mpi, datatype: MpiDatatype, cell: CellMemory, first: number, count: number): () => void {
  const { extentBytes, sizeBytes } = lower(cell.datatype);
  const packing = {
    datatype: datatype.handle,
    count,
    scattered: cell.scattered,
    originBytes: cell.originBytes + first * extentBytes,
    packed: cell.packed,
    positionBytes: first * sizeBytes,
  };
  const plan = new PackPlan(mpi, packing); // checks what MPI would not
  if (!hasNativeCalls()) return cell.direction === "pack" ? () => plan.pack() : () => plan.unpack();
  return cell.direction === "pack" ? nativePack(mpi, packing) : nativeUnpack(mpi, packing);
}

type Packing = Required<ConstructorParameters<typeof PackPlan>[1]>;

function nativePack(mpi: Mpi, { datatype, count, scattered, originBytes, packed, positionBytes }: Packing): () => void {
  const position = new Int32Array(new ArrayBuffer(4));
  const [from, to] = [addressOf(scattered) + originBytes, addressOf(packed)];
  const args = [from, count, datatype, to, packed.length, addressOf(position), mpi.constants.self];
  const call = new NativeCall(mpi.addressOf("MPI_Pack"), args, [scattered, packed, position]);
  return () => {
    position[0] = positionBytes;
    check(mpi, "MPI_Pack", call.run());
  };
}

function nativeUnpack(
  mpi: Mpi,
  { datatype, count, scattered, originBytes, packed, positionBytes }: Packing,
): () => void {
  const position = new Int32Array(new ArrayBuffer(4));
  const [from, to] = [addressOf(packed), addressOf(scattered) + originBytes];
  const args = [from, packed.length, addressOf(position), to, count, datatype, mpi.constants.self];
  const call = new NativeCall(mpi.addressOf("MPI_Unpack"), args, [packed, scattered, position]);
  return () => {
    position[0] = positionBytes;
    check(mpi, "MPI_Unpack", call.run());
  };
}

/** By the constructors alone, as an application makes it. */
function create(mpi: Mpi, datatype: Datatype): Created["times"] {
  const start = performance.now();
  const made = constructDatatype(mpi, datatype);
  const constructed = performance.now();
  made.commit();
  const committed = performance.now();
  made[Symbol.dispose]();
  const freed = performance.now();
  return {
    createNs: (constructed - start) * 1e6,
    commitNs: (committed - constructed) * 1e6,
    freeNs: (freed - committed) * 1e6,
  };
}

import {
  canonicalise,
  contiguous,
  isDenseLayout,
  isPredefinedName,
  lower,
  predefined,
  signatureOf,
  type Datatype,
  type Layout,
  type Signature,
} from "@stowage/ir";
import type { MemoryKind } from "@stowage/backend-api";
import { exportDatatype, predefinedHandle, type Mpi, type MpiDatatype } from "@stowage/mpi-abi";
import type { Committed, Engine } from "@stowage/selector";
import { formCosts, HOST_FORMS } from "../devices/device-forms.js";
import { BridgeError } from "../../errors.js";
import { cutsElements } from "./cuts-elements.js";
import { largeDatatype } from "./large-datatype.js";
import { askedCarrier, type Hints } from "./hints.js";
import type { MeasuredCost } from "./measured-cost.js";

/**
 * Messages to be expected of a datatype that was made for them: packs are compared as they are once code is compiled.
 */
const LIKELY_REUSE = 200;

/** Elements that lie side by side: `perElement` basic elements of one predefined type each, or bytes. */
export interface Dense {
  /** The MPI_Datatype of the basic elements, as a number of the MPI's ABI. */
  readonly handle: number;
  /** How many of them are one element. */
  readonly perElement: number;
}

/**
 * A datatype as messages use it: the MPI's committed type, our engine's kernels, and plain bytes, each made when it is
 * first needed. Its bounds are those of the MPI that runs. It is freed once its last holder let go; what needs it then
 * throws a BridgeError.
 */
export class BridgeType implements Disposable {
  readonly datatype: Datatype;
  /** The canonical layout, with the bounds of the MPI that runs. */
  readonly layout: Layout;
  /** Packed bytes of one element. */
  readonly sizeBytes: number;
  /** Bytes from one element to the next; it may be negative. */
  readonly extentBytes: number;
  readonly hints: Hints;
  /** The basic elements, where elements are one run of bytes, however many: no packing is needed. Else undefined. */
  readonly dense: Dense | undefined;
  /** What packing was measured to cost, by the size of messages in bytes (a power of two). */
  readonly costs = new Map<number, MeasuredCost>();
  readonly #mpi: Mpi;
  readonly #engine: () => Engine;
  #native: MpiDatatype | undefined;
  #block: MpiDatatype | undefined;
  #committed: Committed | undefined;
  readonly #others = new Map<string, Committed>();
  /** By the logarithm of the packed bytes. */
  readonly #packers = new Map<number, string>();
  #holders = 1;
  /** The basic elements that it consists of, in order (MPI 4.1, section 5.1). */
  readonly signature: Signature;
  /** The predefined type that it consists of, if it is one. */
  readonly #only: Dense | undefined;

  constructor(mpi: Mpi, engine: () => Engine, datatype: Datatype, hints: Hints = {}) {
    this.#mpi = mpi;
    this.#engine = engine;
    this.datatype = datatype;
    this.layout = canonicalise(lower(datatype, { bounds: mpi.bounds }));
    this.sizeBytes = this.layout.sizeBytes;
    this.extentBytes = this.layout.extentBytes;
    this.hints = hints;
    this.signature = signatureOf(datatype);
    this.#only = onlyOf(mpi, this.signature);
    this.dense = isDenseLayout(this.layout) ? this.#asDense() : undefined;
  }

  /**
   * Whether a C program's receive into such elements may fail unless they come by the MPI's own datatype: see
   * cutsElements.
   */
  get needsNative(): boolean {
    return this.#only === undefined && cutsElements(this.#mpi);
  }

  #asDense(): Dense {
    if (this.#only !== undefined) return this.#only;
    if (this.needsNative) return { handle: this.native, perElement: 1 };
    return { handle: predefinedHandle(this.#mpi, "MPI_PACKED"), perElement: this.sizeBytes };
  }

  /** @deprecated `dense` says the same. */
  get direct(): Dense | undefined {
    return this.dense;
  }

  /** The MPI_Datatype that the MPI itself committed, as a number of its ABI. Made when it is first asked for. */
  get native(): number {
    this.#requireAlive();
    return (this.#native ??= exportDatatype(this.#mpi, this.datatype)).handle;
  }

  /**
   * The MPI_Datatype of as many contiguous bytes as an element has: of packed elements in a collective, so that counts
   * agree with any peer's.
   */
  get block(): number {
    this.#requireAlive();
    return (this.#block ??= exportDatatype(this.#mpi, contiguous(this.sizeBytes, predefined("MPI_BYTE")))).handle;
  }

  /** What packs and unpacks elements in the host's memory. Committed when it is first asked for. */
  get committed(): Committed {
    this.#requireAlive();
    const { backend, reuse = LIKELY_REUSE } = this.hints;
    const named = backend === undefined ? {} : { backend };
    return (this.#committed ??= this.#engine().commit(this.layout, { reuse, ...named }));
  }

  /**
   * What packs and unpacks so many elements in a device's memory, to and from packed bytes of this kind of memory.
   * Throws a NoBackendError where no backend does.
   */
  onDevice(packedMemory: "host" | "pinned" | "device", count: number): Committed {
    this.#requireAlive();
    const { reuse = LIKELY_REUSE } = this.hints;
    const backend = this.hints.backend ?? (packedMemory === "pinned" ? this.#packerFor(count) : undefined);
    const key = `${packedMemory} ${backend ?? ""}`;
    let made = this.#others.get(key);
    if (made !== undefined) return made;
    const named = backend === undefined ? {} : { backend };
    made = this.#engine().commit(this.layout, { memory: "device", packedMemory, reuse, ...named });
    this.#others.set(key, made);
    return made;
  }

  /**
   * What unpacks with operations, into memory of the host from there or into a device's from pinned memory. The backend
   * that hints name is not asked: it may know no operations.
   */
  combining(memory: MemoryKind): Committed {
    if (memory !== "device" && this.hints.backend === undefined) return this.committed;
    const key = `combining ${memory}`;
    let made = this.#others.get(key);
    if (made !== undefined) return made;
    const { reuse = LIKELY_REUSE } = this.hints;
    const places = memory === "device" ? ({ memory, packedMemory: "pinned" } as const) : {};
    made = this.#engine().commit(this.layout, { ...places, reuse });
    this.#others.set(key, made);
    return made;
  }

  /** The backend that packs so many elements into pinned memory. */
  #packerFor(count: number): string | undefined {
    const sizeClass = 32 - Math.clz32(count * this.sizeBytes);
    const known = this.#packers.get(sizeClass);
    if (known !== undefined) return known;
    const asked = HOST_FORMS.filter((each) => each === askedCarrier(this.hints, true));
    const list = [{ layout: this.layout, count }];
    const [best] = formCosts(this.#engine(), list, asked.length > 0 ? asked : HOST_FORMS).sort(
      (a, b) => a.packNs + a.unpackNs - b.packNs - b.unpackNs,
    );
    if (best !== undefined) this.#packers.set(sizeClass, best.packer);
    return best?.packer;
  }

  /** A type of the MPI that holds more elements than C's int counts; the caller disposes of it. */
  large(count: number): MpiDatatype {
    return exportDatatype(this.#mpi, largeDatatype(this.datatype, this.extentBytes, count));
  }

  /** The predefined type itself, or the one that elements are made of; undefined where they are of several. */
  get basic(): Dense | undefined {
    return this.datatype.kind === "predefined" ? (this.#itself ??= { handle: this.native, perElement: 1 }) : this.#only;
  }

  #itself: Dense | undefined;

  /** The basic elements that predefined reductions take. Throws a BridgeError where they are of several types. */
  get reducible(): Dense {
    const found = this.basic;
    if (found !== undefined) return found;
    throw new BridgeError("datatype of a reduction", "elements of one predefined datatype", this.datatype.kind);
  }

  /** Counts one more holder, who calls `release` once. */
  hold(): this {
    this.#holders++;
    return this;
  }

  /** Ends the hold of one holder; with the last the MPI's types and our kernels are freed. */
  release(): void {
    this.#holders--;
    if (this.#holders > 0) return;
    this.#native?.[Symbol.dispose]();
    this.#block?.[Symbol.dispose]();
    this.#committed?.[Symbol.dispose]();
    for (const committed of this.#others.values()) committed[Symbol.dispose]();
  }

  /** Whether it has a holder still. */
  get isAlive(): boolean {
    return this.#holders > 0;
  }

  #disposed = false;

  /** The caller's hold ends; messages under way keep theirs. */
  [Symbol.dispose](): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.release();
  }

  /** Throws a BridgeError for a datatype that its owner disposed of. */
  requireUsable(): void {
    if (this.#disposed) throw new BridgeError("datatype", "one in use", "a freed one");
  }

  #requireAlive(): void {
    if (this.#holders <= 0) throw new BridgeError("datatype", "one in use", "a freed one");
  }
}

/** The one predefined type that a datatype consists of. */
function onlyOf(mpi: Mpi, { root }: Signature): Dense | undefined {
  const only = root.kind === "repeat" ? root.child : root;
  if (only.kind !== "basic" || !isPredefinedName(only.name)) return undefined;
  return { handle: predefinedHandle(mpi, only.name), perElement: root.elements };
}

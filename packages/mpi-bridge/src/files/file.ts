import { printDatatypeText, quoted } from "@stowage/ir";
import type { CommunicationConstants } from "@stowage/mpi-abi";
import type { Message } from "../message/place/message.js";
import { isOnHost, type HostPlaced, type Placed } from "../message/place/placed.js";
import { isBytes } from "../message/place/move-range.js";
import { Transfer } from "../message/place/transfer.js";
import type { Communicator } from "../communicator/communicator.js";
import type { TypeLike } from "../message/datatype/type-cache.js";
import { BridgeError } from "../errors.js";
import { ANYTHING, givenOptions, integerFrom, oneOf, rulesOf } from "../option-rules.js";
import { KnownTypes } from "../message/datatype/known-types.js";
import { exchangeBytes } from "../communicator/exchange-bytes.js";
import type { Context } from "../message/context.js";
import { A_PEER_KIND, requireCommunicator, type PeerKind } from "../communicator/peer-kind.js";
import { agreeOnFailure, failureOf } from "./agree.js";
import { NativeFile } from "./native-file.js";
import { Stripes } from "./stripes.js";
import { bytesBefore, checkView, fileOffset, type View } from "./view.js";

const MODES = ["r", "w", "rw"] as const;
type Mode = (typeof MODES)[number];

/** MPI_MODE_CREATE is no bit of the others'. */
function modeOf(mode: Mode, { create, readOnly, writeOnly, readWrite }: CommunicationConstants["fileModes"]): number {
  if (mode === "r") return readOnly;
  return create + (mode === "w" ? writeOnly : readWrite);
}

type FileCarrier = "native" | "packed";

/** What `World.openFile` takes. */
export interface FileOptions {
  /** What the ranks do to the file; "w" and "rw" make it where there is none. Default: "r". */
  readonly mode?: "r" | "w" | "rw";
  /**
   * How elements reach the file where a view has gaps: by the MPI's own types, or packed into whole stripes by us.
   * Default: "packed".
   */
  readonly carrier?: FileCarrier | undefined;
  /** @deprecated `carrier` says the same. */
  readonly route?: FileCarrier | undefined;
  /**
   * "any": some ranks may be C or Python programs, which open the same file and make the same collective calls; the
   * carrier is then native. Default: "ours", programs of this package.
   */
  readonly peers?: PeerKind;
  /** The most bytes of the file that one rank moves at once, 1 to 2^30. Default: 4 MiB. */
  readonly stripeBytes?: number;
}

const CARRIER = oneOf("native", "packed");
const FILE_OPTIONS = rulesOf<FileOptions>({
  mode: oneOf(...MODES),
  carrier: CARRIER,
  route: CARRIER,
  peers: A_PEER_KIND,
  stripeBytes: integerFrom(1, 2 ** 30),
});

/** What one rank sees of a file (MPI 4.1, section 14.3). */
export interface ViewOptions {
  /** The byte of the file at which the view begins. Default: 0. */
  readonly displacementBytes?: number;
  /** The datatype whose elements offsets count. Default: "MPI_BYTE". */
  readonly etype?: TypeLike;
  /** The datatype that lies in the file, again and again; its gaps are others'. Default: the etype. */
  readonly filetype?: TypeLike;
}

/** What they say is looked at by `checkView`, whose errors all ranks are told of. */
const VIEW_OPTIONS = rulesOf<ViewOptions>({ displacementBytes: ANYTHING, etype: ANYTHING, filetype: ANYTHING });

/**
 * A file that ranks read and write together (MPI 4.1, chapter 14). Its errors are thrown on all ranks, with MPI's class
 * and text where it is MPI's.
 */
export class MpiFile implements Disposable {
  /** The path that it was opened by. */
  readonly path: string;
  readonly #context: Context;
  readonly #comm: Communicator;
  /** Other ranks may be programs that know nothing of this package: the MPI's own calls are all there is. */
  readonly #isAmongOthers: boolean;
  readonly #native: NativeFile;
  readonly #stripes: Stripes;
  readonly #carrier: FileCarrier;
  readonly #types: KnownTypes;
  #views: readonly View[];
  #closed = false;

  /** @internal All ranks of the communicator call it. */
  constructor(context: Context, comm: Communicator, path: string, options: FileOptions) {
    const given = givenOptions(options, FILE_OPTIONS, "options of a file");
    const { mode = "r", peers = "ours", stripeBytes = 4 * 2 ** 20 } = given;
    requireCommunicator("communicator of a file", comm);
    const { route = peers === "any" ? "native" : "packed", carrier = route } = options;
    if (peers === "any" && carrier === "packed")
      throw new BridgeError('file with { peers: "any" }', "the carrier native", "packed");
    if (typeof path !== "string") throw new BridgeError("path of a file", "a string", quoted(path));
    this.path = path;
    this.#context = context;
    if (peers === "ours") comm.requireFellows(`file ${quoted(path)}`, '{ peers: "any" }');
    this.#isAmongOthers = peers === "any";
    this.#comm = this.#isAmongOthers ? comm : comm.dup();
    this.#carrier = carrier;
    this.#types = new KnownTypes(context.types);
    try {
      // Holes of stripes that are written are read first.
      const opened = modeOf(mode === "w" && carrier === "packed" ? "rw" : mode, context.native.constants.fileModes);
      this.#native = new NativeFile(context, this.#comm, path, opened);
    } catch (error) {
      this.#letGo();
      throw error;
    }
    this.#stripes = new Stripes(context, this.#comm, this.#native, path, stripeBytes);
    this.#views = this.#viewsOf({ displacementBytes: 0, etype: "MPI_BYTE", filetype: "MPI_BYTE" });
  }

  /** How many bytes the file has now (MPI_File_get_size). */
  get sizeBytes(): number {
    this.#requireOpen();
    return this.#native.sizeBytes;
  }

  /** Cuts the file off or makes it longer, to so many bytes (MPI_File_set_size). All ranks call it. */
  resize(bytes: number): void {
    this.#requireOpen();
    if (!Number.isSafeInteger(bytes) || bytes < 0)
      throw new BridgeError(`size of ${this.path}`, "bytes of 0 or more", quoted(bytes));
    this.#native.sizeBytes = bytes;
  }

  /**
   * Sets what this rank sees of the file from here on (MPI_File_set_view). All ranks call it, each with its own. Throws
   * a BridgeError, on all ranks, where a view cannot be.
   */
  setView(options: ViewOptions = {}): void {
    const { displacementBytes = 0, etype = "MPI_BYTE", filetype = etype } = givenOptions(options, VIEW_OPTIONS);
    this.#requireOpen();
    const views = this.#viewsOf({ displacementBytes, etype, filetype });
    release(this.#views);
    this.#views = views;
    const own = this.#own;
    if (this.#carrier === "native") this.#native.setView(displacementBytes, own.etype, own.filetype);
  }

  /**
   * Writes a message from `offset` on, in etypes of the view (MPI_File_write_at_all; MPI 4.1, section 14.4.2). All
   * ranks call it. Throws a BridgeError where the message is no whole etypes or the file is closed.
   */
  writeAtAll(offset: number, message: Message): void {
    const placed = this.#placed(offset, message);
    if (this.#carrier === "native") return this.#moveNatively("MPI_File_write_at_all", offset, placed);
    const transfer = this.#packedTransfer(placed);
    try {
      transfer.pack()?.wait();
      this.#stripes.write(this.#views, offset * this.#own.etype.sizeBytes, streamOf(transfer, placed));
    } finally {
      transfer.release();
    }
  }

  /**
   * Reads a message from `offset` on, in etypes of the view (MPI_File_read_at_all). All ranks call it. Throws as
   * writeAtAll does, and a BridgeError where the file ends before: the message then holds what there was.
   */
  readAtAll(offset: number, message: Message): void {
    const placed = this.#placed(offset, message);
    if (this.#carrier === "native") return this.#moveNatively("MPI_File_read_at_all", offset, placed);
    const first = offset * this.#own.etype.sizeBytes;
    const transfer = this.#packedTransfer(placed);
    try {
      const stream = streamOf(transfer, placed);
      const bytes = this.#readable(offset, placed);
      this.#stripes.read(this.#views, first, stream.subarray(0, bytes));
      transfer.unpack(bytes)?.wait();
      this.#requireWhole(offset, placed, bytes);
    } finally {
      transfer.release();
    }
  }

  /** Returns once what was written is on the disc (MPI_File_sync; MPI 4.1, section 14.6.1). All ranks call it. */
  sync(): void {
    this.#requireOpen();
    this.#native.sync();
  }

  /** Closes the file (MPI_File_close): each further call throws a BridgeError. All ranks call it. */
  close(): void {
    this.#requireOpen();
    this.#closed = true;
    this.#native.close();
    release(this.#views);
    this.#types[Symbol.dispose]();
    this.#letGo();
  }

  #letGo(): void {
    if (!this.#isAmongOthers) this.#comm.free();
  }

  [Symbol.dispose](): void {
    if (!this.#closed && this.#context.native.isRunning) this.close();
  }

  get #own(): View {
    return this.#views[this.#isAmongOthers ? 0 : this.#comm.rank] as View;
  }

  /** The views of all ranks: each puts the others' bytes together too. Among others its own alone. */
  #viewsOf({ displacementBytes, etype, filetype }: Required<ViewOptions>): readonly View[] {
    const { types } = this.#context;
    const asked = { displacementBytes, etype: types.of(etype), filetype: types.of(filetype) };
    if (this.#isAmongOthers) {
      checkView(asked);
      return [{ ...asked, etype: asked.etype.hold(), filetype: asked.filetype.hold() }];
    }
    const error = failureOf(() => checkView(asked));
    agreeOnFailure(this.#comm, `view of ${this.path}`, error);
    const texts = [asked.etype, asked.filetype].map((type) => printDatatypeText(type.datatype));
    const told = new TextEncoder().encode(JSON.stringify([displacementBytes, ...texts]));
    const all = exchangeBytes(
      this.#comm,
      Array.from({ length: this.#comm.size }, () => [told]),
    );
    return all.map((bytes) => {
      const [at, etypeText, filetypeText] = JSON.parse(new TextDecoder().decode(bytes)) as [number, string, string];
      const [basic, tile] = [this.#types.of(etypeText).hold(), this.#types.of(filetypeText).hold()];
      return { displacementBytes: at, etype: basic, filetype: tile };
    });
  }

  #placed(offset: number, message: Message): Placed {
    this.#requireOpen();
    if (!Number.isSafeInteger(offset) || offset < 0)
      throw new BridgeError(`offset in ${this.path}`, "etypes of 0 or more", quoted(offset));
    const placed = this.#context.places.of(message);
    const { sizeBytes } = this.#own.etype;
    if (placed.sizeBytes % sizeBytes !== 0)
      throw new BridgeError(
        `message for ${this.path}`,
        `whole etypes of ${sizeBytes} bytes`,
        `${placed.sizeBytes} bytes`,
      );
    return placed;
  }

  /** Elements that lie side by side are their own stream. */
  #packedTransfer(placed: Placed): Transfer {
    return new Transfer(this.#context, placed, isBytes(placed) ? "native" : "packed");
  }

  #moveNatively(name: "MPI_File_write_at_all" | "MPI_File_read_at_all", offset: number, placed: Placed): void {
    const transfer = new Transfer(this.#context, placed, isOnHost(placed) ? "native" : "packed");
    try {
      if (name === "MPI_File_write_at_all") transfer.pack()?.wait();
      this.#native.move(name, offset, transfer);
      // The status of a collective read may count what was asked for, as ROMIO's does.
      if (name === "MPI_File_write_at_all") return;
      const bytes = this.#readable(offset, placed);
      transfer.unpack(bytes)?.wait();
      this.#requireWhole(offset, placed, bytes);
    } finally {
      transfer.release();
    }
  }

  /** Bytes of a message that the file has. */
  #readable(offset: number, { sizeBytes }: Placed): number {
    return bytesBefore(this.#own, offset * this.#own.etype.sizeBytes, sizeBytes, this.sizeBytes);
  }

  #requireWhole(offset: number, { sizeBytes }: Placed, bytes: number): void {
    if (bytes >= sizeBytes) return;
    const end = fileOffset(this.#own, offset * this.#own.etype.sizeBytes + sizeBytes - 1) + 1;
    const got = `${bytes}: it ends at ${this.sizeBytes}, the view asks up to ${end}`;
    throw new BridgeError(`read of ${this.path}`, `${sizeBytes} bytes`, got);
  }

  #requireOpen(): void {
    if (this.#closed) throw new BridgeError(`file ${this.path}`, "an open one", "a closed one");
  }
}

function release(views: readonly View[]): void {
  for (const { etype, filetype } of views) {
    etype.release();
    filetype.release();
  }
}

/** The packed bytes of a message, in staging or where they lie. */
function streamOf(transfer: Transfer, placed: Placed): Uint8Array {
  const { buffer, originBytes, sizeBytes } = placed as HostPlaced;
  return transfer.packedBytes?.subarray(0, sizeBytes) ?? buffer.bytes.subarray(originBytes, originBytes + sizeBytes);
}

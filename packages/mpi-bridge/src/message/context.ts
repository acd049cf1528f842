import type { Context as CudaContext, Driver } from "@stowage/cuda-driver";
import type { Layout } from "@stowage/ir";
import { openNccl, openSimulatedNccl, type Nccl } from "@stowage/nccl";
import type { CommittedCopy, Engine } from "@stowage/selector";
import { Places } from "./place/place.js";
import { hostStaging } from "./place/staging.js";
import { DeviceSides } from "./devices/device-sides.js";
import { GappedTypes } from "./datatype/gapped-types.js";
import { HintAttribute } from "./datatype/hint-attribute.js";
import { TypeCache } from "./datatype/type-cache.js";
import { Native } from "../native/native.js";
import { Progress } from "./requests/progress.js";
import { RequestCells } from "./requests/request-cells.js";
import type { Mpi } from "@stowage/mpi-abi";

/** The calls that are made for every message, ready for `launch`. */
export interface Entries {
  readonly send: number;
  readonly ssend: number;
  readonly recv: number;
  readonly isend: number;
  readonly issend: number;
  readonly irecv: number;
  readonly test: number;
  readonly wait: number;
  readonly iprobe: number;
  readonly improbe: number;
  readonly imrecv: number;
  readonly start: number;
}

/** What messages of device memory need to know. */
export interface DeviceOptions {
  readonly cuda?: (() => Driver) | undefined;
  readonly cudaAware?: boolean | undefined;
  readonly nccl?: (() => Nccl) | undefined;
}

/** What all communicators of one MPI share. */
export class Context {
  readonly native: Native;
  readonly entries: Entries;
  readonly types: TypeCache;
  readonly places: Places;
  readonly gappedTypes: GappedTypes;
  readonly staging = hostStaging();
  readonly devices: DeviceSides;
  readonly progress = new Progress();
  readonly cells: RequestCells;
  /** What must end before the GPUs are let go of, by whoever made it or as MPI ends. */
  readonly endsBeforeDevices = new Set<{ abort(): void }>();
  readonly hintAttribute: HintAttribute;
  /** What packs, made when a message first needs it. */
  readonly engine: () => Engine;
  /** Whether the MPI takes addresses of device memory, where the user said so. */
  readonly cudaAware: boolean | undefined;
  /** What must end before MPI does. */
  readonly endsBeforeMpi = new Set<Disposable>();
  readonly #only = new Map<unknown, unknown>();
  readonly #openNccl: DeviceOptions["nccl"];
  #nccl: Nccl | undefined;

  constructor(mpi: Mpi, engine: () => Engine, options: DeviceOptions = {}) {
    this.engine = engine;
    this.cudaAware = options.cudaAware;
    this.#openNccl = options.nccl;
    this.native = new Native(mpi);
    this.hintAttribute = new HintAttribute(this.native);
    this.cells = new RequestCells(mpi);
    this.types = new TypeCache(mpi, engine);
    this.gappedTypes = new GappedTypes(mpi);
    this.devices = new DeviceSides(options.cuda);
    this.places = new Places(this.types, this.devices);
    this.entries = {
      send: this.native.entryOf("MPI_Send"),
      ssend: this.native.entryOf("MPI_Ssend"),
      recv: this.native.entryOf("MPI_Recv"),
      isend: this.native.entryOf("MPI_Isend"),
      issend: this.native.entryOf("MPI_Issend"),
      irecv: this.native.entryOf("MPI_Irecv"),
      test: this.native.entryOf("MPI_Test"),
      wait: this.native.entryOf("MPI_Wait"),
      iprobe: this.native.entryOf("MPI_Iprobe"),
      improbe: this.native.entryOf("MPI_Improbe"),
      imrecv: this.native.entryOf("MPI_Imrecv"),
      start: this.native.entryOf("MPI_Start"),
    };
  }

  /** What one kind of thing keeps for this MPI: made when it is first asked for. */
  only<T>(kind: new (context: Context) => T): T {
    const known = this.#only.get(kind) as T | undefined;
    if (known !== undefined) return known;
    const made = new kind(this);
    this.#only.set(kind, made);
    return made;
  }

  /** NCCL for a GPU, loaded once. Throws an NcclError where there is none. */
  nccl(gpu: CudaContext): Nccl {
    const open = this.#openNccl ?? (() => (gpu.libcuda.simulation === undefined ? openNccl() : openSimulatedNccl(gpu)));
    return (this.#nccl ??= open());
  }

  /** From one layout to another in the memory of devices; whoever asked disposes of it. */
  copyOnDevice(from: Layout, to: Layout): CommittedCopy {
    return this.engine().commitCopy(from, to, { fromMemory: "device", toMemory: "device", reuse: 1000 });
  }
}

import type { Kernel } from "../ir/kernel.js";
import { accessBytes } from "../translate/access.js";
import { translateToWasm, type TranslatedModule } from "../translate/translate.js";
import { FAULT, type GlobalName, type Site } from "../translate/translator.js";
import { SITE_BYTES } from "../translate/workspace.js";
import { compileModule, instantiate, type WasmInstance, type WasmModule } from "../wasm/webassembly.js";
import type { AccessCounters, Counters } from "./counters.js";
import { SimulationError } from "./errors.js";
import type { Launch, Translation, TranslateOptions, WarpAccess } from "./launch.js";
import type { SimulatedMemory } from "./memory.js";
import { RaceCheck } from "./race-check.js";

const MAX_BLOCK_THREADS = 1024;

/** Makes a kernel executable on simulated devices: once, into WebAssembly. Throws a TypeError on a malformed kernel. */
export function translate(kernel: Kernel, options: TranslateOptions = {}): Translation {
  const translated = translateToWasm(kernel, options);
  const module = compileModule(translated.bytes);
  const loaded = new WeakMap<SimulatedMemory, Loaded>();
  return Object.freeze({
    kernel,
    launch(memory: SimulatedMemory, launch: Launch): Counters {
      const known = loaded.get(memory) ?? new Loaded(kernel, translated, module, memory, options.onAccess);
      loaded.set(memory, known);
      return known.launch(launch);
    },
  });
}

type Global = { value: number | bigint };

/** A translated kernel bound to one memory. */
class Loaded {
  readonly #kernel: Kernel;
  readonly #translated: TranslatedModule;
  readonly #memory: SimulatedMemory;
  readonly #instance: WasmInstance;
  readonly #races: RaceCheck;
  #base = 0;
  #reaches: Launch["reaches"];

  constructor(
    kernel: Kernel,
    translated: TranslatedModule,
    module: WasmModule,
    memory: SimulatedMemory,
    onAccess: TranslateOptions["onAccess"],
  ) {
    this.#kernel = kernel;
    this.#translated = translated;
    this.#memory = memory;
    this.#races = new RaceCheck(kernel.sharedBytes);
    const device = {
      memory: memory.wasm,
      resolve: (site: number, address: bigint) => this.#resolve(site, BigInt.asUintN(64, address)),
      fault: (code: number, value: number) => this.#fault(code, value >>> 0),
      race: (offset: number, length: number, warp: number, writes: number) =>
        this.#races.access(this.#global("epoch"), offset, length, warp, writes !== 0),
      // The low half of nanoseconds, in steps of a millisecond.
      timer: () => Number(BigInt.asIntN(32, BigInt(Date.now()) * 1_000_000n)),
      access: (site: number, mask: number) => onAccess?.(this.#accessOf(site, mask)),
    };
    this.#instance = instantiate(module, { device });
  }

  launch({ grid, block, parameters, reaches }: Launch): Counters {
    this.#reaches = reaches;
    const { workspace, sites } = this.#translated;
    const threads = block[0] * block[1] * block[2];
    this.#requireLaunch(threads, grid, parameters);
    const warps = Math.ceil(threads / 32);
    this.#base = this.#memory.workspace(workspace.frames + warps * workspace.frameBytes);
    const bytes = new Uint8Array(this.#memory.wasm.buffer, this.#base);
    bytes.set(parameters);
    bytes.fill(0, workspace.sites, workspace.sites + sites.length * SITE_BYTES);
    const before = this.#counters();
    const run = this.#instance.exports["run"] as (...sizes: number[]) => void;
    try {
      run(this.#base, ...grid, ...block);
    } catch (cause) {
      throw this.#explained(cause);
    }
    return difference(this.#counters(), before);
  }

  #requireLaunch(threads: number, grid: readonly number[], parameters: Uint8Array): void {
    const { name, maxThreads, parameterBytes } = this.#kernel;
    const most = maxThreads ?? MAX_BLOCK_THREADS;
    if (threads < 1 || threads > most) {
      throw new SimulationError(`launch of ${name}: expected 1 to ${most} threads a block, got ${threads}`);
    }
    if (grid.some((size) => !Number.isInteger(size) || size < 1)) {
      throw new SimulationError(`launch of ${name}: expected a grid of positive sizes, got ${grid.join(" × ")}`);
    }
    if (parameters.byteLength !== parameterBytes) {
      throw new SimulationError(
        `launch of ${name}: expected ${parameterBytes} bytes of parameters, got ${parameters.byteLength}`,
      );
    }
  }

  /** Finds the window around an address and keeps it for the site, or faults. */
  #resolve(index: number, address: bigint): void {
    const site = this.#translated.sites[index] as Site;
    const bytes = accessBytes(site);
    const what = `${site.writes ? "store" : "load"} of ${bytes} bytes at 0x${address.toString(16)}`;
    if (address % BigInt(bytes) !== 0n) throw new SimulationError(`${what}: expected a multiple of ${bytes}`);
    const window = this.#memory.window(address);
    if (window === undefined || address + BigInt(bytes) > window.endAddress) {
      throw new SimulationError(`${what}: expected allocated memory, got ${this.#nearest(address)}`);
    }
    if (this.#reaches?.(address) === false)
      throw new SimulationError(`${what}: expected memory that the device reaches, got another device's`);
    const view = new DataView(
      this.#memory.wasm.buffer,
      this.#base + this.#translated.workspace.sites + index * SITE_BYTES,
    );
    view.setBigUint64(0, window.startAddress, true);
    view.setBigInt64(8, window.endAddress - window.startAddress - BigInt(bytes) + 1n, true);
    view.setBigInt64(16, BigInt(window.place) - window.startAddress, true);
  }

  /** The addresses of a site's active lanes lie in the workspace until they are counted. */
  #accessOf(index: number, mask: number): WarpAccess {
    const site = this.#translated.sites[index] as Site;
    const lanes = Array.from({ length: 32 }, (_, lane) => lane).filter((lane) => (mask >>> lane) & 1);
    const start = this.#base + this.#translated.workspace.addresses + index * 256;
    const view = new DataView(this.#memory.wasm.buffer, start, 256);
    const addresses = lanes.map((_, i) => Number(view.getBigUint64(i * 8, true)));
    return { writes: site.writes, laneBytes: accessBytes(site), lanes, addresses };
  }

  #nearest(address: bigint): string {
    const before = this.#memory.allocations.filter((held) => held.address <= address).at(-1);
    if (before === undefined) return "an address below every allocation";
    const past = address - before.address - BigInt(before.sizeBytes);
    return `${past < 0n ? "its end" : `${past} bytes past the end`} of an allocation of ${before.sizeBytes} bytes`;
  }

  #fault(code: number, value: number): never {
    if (code === FAULT.divergentBarrier) {
      throw new SimulationError("barrier: expected all threads of the block, got some that branched away");
    }
    if (code === FAULT.sharedAddress) {
      throw new SimulationError(
        `shared access at ${value}: expected an aligned one within ${this.#kernel.sharedBytes} bytes`,
      );
    }
    throw new SimulationError(`parameter index ${value}: expected an aligned one within the parameter`);
  }

  #explained(cause: unknown): SimulationError {
    const block = ["x", "y", "z"].map((axis) => this.#global(`ctaid.${axis}` as GlobalName)).join(",");
    const message = cause instanceof Error ? cause.message : String(cause);
    return new SimulationError(`kernel ${this.#kernel.name}, block ${block}: ${message}`, { cause });
  }

  #global(name: GlobalName): number {
    return Number((this.#instance.exports[name] as Global).value);
  }

  #counters(): Counters {
    const access = (kind: "load" | "store"): AccessCounters => ({
      requests: this.#global(`${kind}Requests`),
      bytes: this.#global(`${kind}Bytes`),
      sectors: this.#global(`${kind}Sectors`),
      lines: this.#global(`${kind}Lines`),
    });
    return {
      threadInstructions: this.#global("threadInstructions"),
      warpInstructions: this.#global("warpInstructions"),
      globalLoads: access("load"),
      globalStores: access("store"),
    };
  }
}

function difference(after: Counters, before: Counters): Counters {
  const access = (a: AccessCounters, b: AccessCounters): AccessCounters => ({
    requests: a.requests - b.requests,
    bytes: a.bytes - b.bytes,
    sectors: a.sectors - b.sectors,
    lines: a.lines - b.lines,
  });
  return Object.freeze({
    threadInstructions: after.threadInstructions - before.threadInstructions,
    warpInstructions: after.warpInstructions - before.warpInstructions,
    globalLoads: access(after.globalLoads, before.globalLoads),
    globalStores: access(after.globalStores, before.globalStores),
  });
}

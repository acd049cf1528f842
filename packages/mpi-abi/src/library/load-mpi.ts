import { quoted } from "@stowage/ir";
import type { LibraryHandle } from "koffi";
import { koffi } from "../native/koffi.js";
import { realpathSync } from "node:fs";
import { LiveHandles } from "../datatype/live-handles.js";
import { MpiLibraryError } from "../errors.js";
import type { Mpi } from "../mpi.js";
import { bindCall, bindCalls } from "./bind-calls.js";
import { findMpis } from "./find-mpis.js";
import { keepLoaded } from "./keep-loaded.js";
import { exportsSymbol, recognise } from "./recognise.js";

/** A fact of the process, not a cache: two MPIs would bind to each other's symbols, and none can be unloaded. */
let loaded: Mpi | undefined;

/**
 * Loads an MPI, by the path of its library, into this process; by default the first that findMpis finds. Loading it
 * again returns the same.
 * Throws a MpiLibraryError, of one line, where there is none, where the library is no MPI or one of another ABI, or
 * where another MPI is loaded already.
 *
 * @example
 * ```typescript
 * const mpi = loadMpi();
 * initialise(mpi);
 * const column = exportDatatype(mpi, vector(8, 1, 8, "MPI_DOUBLE"));
 * typeBounds(mpi, column.handle).sizeBytes; // 64
 * column[Symbol.dispose]();
 * finalise(mpi);
 * ```
 */
export function loadMpi(path: string = firstFound()): Mpi {
  if (typeof path !== "string") throw new MpiLibraryError(`MPI: expected the path of a library, got ${quoted(path)}`);
  const file = resolved(path);
  if (loaded === undefined) loaded = load(file);
  if (loaded.path !== file) {
    throw new MpiLibraryError(`${file}: expected one MPI in a process, got a second after ${loaded.path}`);
  }
  return loaded;
}

function firstFound(): string {
  const [first] = findMpis();
  if (first === undefined) {
    throw new MpiLibraryError("MPI: expected an installed Open MPI or MPICH, or STOWAGE_MPI=path of one, got none");
  }
  return first;
}

function resolved(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    throw new MpiLibraryError(`${path}: expected an MPI library, got no such file`, { cause: error });
  }
}

/**
 * UCX, on which some MPIs are built, rewrites brk and munmap in the running process to watch its memory; Node's threads
 * allocate meanwhile, and one start in a hundred ended by SIGSEGV. It is told not to, unless the user said otherwise.
 * UCX reads the environment when it is loaded.
 */
function keepMemoryCalls(): void {
  process.env["UCX_MEM_EVENTS"] ??= "no";
}

function load(path: string): Mpi {
  keepMemoryCalls();
  let library = open(path, false);
  const { abi, version, description } = recognise(path, library);
  if (abi.wantsGlobalSymbols) library = open(path, true);
  keepLoaded(path);
  const name = `${abi.family}-${version}${abi.isStandard ? "-abi" : ""}`;
  const constants = abi.constants(library);
  return Object.freeze({
    name,
    family: abi.family,
    version,
    path,
    description,
    bounds: abi.bounds,
    abi,
    constants,
    live: new LiveHandles(name, constants.datatypes.values()),
    calls: bindCalls(library, abi, name),
    addressOf: (symbol: string) => Number(library.symbol(symbol) as bigint),
    exports: (symbol: string) => exportsSymbol(library, symbol),
    bind: (call: string, parameters: string) => bindCall(library, abi, name, call, parameters),
  });
}

function open(path: string, global: boolean): LibraryHandle {
  try {
    return koffi().load(path, { global });
  } catch (error) {
    const reason = (error as Error).message.replaceAll(/\s*\n\s*/g, " ");
    throw new MpiLibraryError(`${path}: expected an MPI library, got ${reason}`, { cause: error });
  }
}

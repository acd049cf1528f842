import type { LibraryHandle } from "koffi";
import { basename } from "node:path";
import type { Abi } from "../abi/abi.js";
import { MPICH } from "../abi/mpich.js";
import { OPEN_MPI } from "../abi/open-mpi.js";
import { MpiLibraryError } from "../errors.js";
import { int32, takeInt } from "../native/cells.js";

const ABIS: readonly Abi[] = [OPEN_MPI, MPICH];
/** MPI_MAX_LIBRARY_VERSION_STRING of MPICH; Open MPI's is 256. */
const DESCRIPTION_BYTES = 8192;
/** MPICH's build for the standard ABI of MPI 5.0 describes itself as its other build does. */
const STANDARD_ABI = /^libmpi_abi\./;

export interface Recognised {
  readonly abi: Abi;
  readonly version: string;
  readonly description: string;
}

/** Which MPI a library is, by its symbols and its own words. Throws a MpiLibraryError where we cannot speak to it. */
export function recognise(path: string, library: LibraryHandle): Recognised {
  const exported = (symbol: string): boolean => exportsSymbol(library, symbol);
  if (!exported("MPI_Get_library_version")) {
    throw new MpiLibraryError(`${path}: expected an MPI library, got one that has no MPI_Get_library_version`);
  }
  const description = describe(library);
  const abi = STANDARD_ABI.test(basename(path))
    ? undefined
    : ABIS.find((candidate) => candidate.versionOf(exported, description) !== undefined);
  const version = abi?.versionOf(exported, description);
  if (abi === undefined || version === undefined) {
    const [firstLine] = description.split("\n");
    throw new MpiLibraryError(`${path}: expected the ABI of Open MPI or of MPICH, got ${JSON.stringify(firstLine)}`);
  }
  return { abi, version, description };
}

export function exportsSymbol(library: LibraryHandle, symbol: string): boolean {
  try {
    library.symbol(symbol);
    return true;
  } catch {
    return false;
  }
}

/** May be called before MPI_Init (MPI 4.1, section 9.1.1). */
function describe(library: LibraryHandle): string {
  const text = new Uint8Array(DESCRIPTION_BYTES);
  const getLibraryVersion = library.func("int MPI_Get_library_version(void *, void *)") as Describe;
  getLibraryVersion(text, int32);
  return Buffer.from(text.subarray(0, takeInt())).toString("utf8").replace(/\0.*$/s, "").trim();
}

type Describe = (text: Uint8Array, length: Int32Array) => number;

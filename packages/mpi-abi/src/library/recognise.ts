import type { LibraryHandle } from "koffi";
import type { Abi } from "../abi/abi.js";
import { MPICH } from "../abi/mpich.js";
import { OPEN_MPI } from "../abi/open-mpi.js";
import { STANDARD_ABIS } from "../abi/standard.js";
import { MpiLibraryError } from "../errors.js";
import { ints, int32, takeInt } from "../native/cells.js";

const ABIS: readonly Abi[] = [OPEN_MPI, MPICH, ...STANDARD_ABIS];
/** MPI_MAX_LIBRARY_VERSION_STRING of MPICH; Open MPI's is 256. */
const DESCRIPTION_BYTES = 8192;
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
  const [firstLine] = description.split("\n");
  const isStandard = hasStandardAbi(path, library, exported);
  const abi = ABIS.find(
    (candidate) => candidate.isStandard === isStandard && candidate.versionOf(description) !== undefined,
  );
  const version = abi?.versionOf(description);
  if (abi === undefined || version === undefined)
    throw new MpiLibraryError(`${path}: expected Open MPI or MPICH, got ${JSON.stringify(firstLine)}`);
  const own = CLASSICAL_SYMBOLS[abi.family];
  if (!isStandard && !exported(own)) {
    const expected = `the ABI of ${JSON.stringify(firstLine)}, with ${own}, or the standard's`;
    throw new MpiLibraryError(`${path}: expected ${expected}, got neither`);
  }
  return { abi, version, description };
}

/** What programs of each MPI's own ABI are linked with. */
const CLASSICAL_SYMBOLS = { openmpi: "ompi_mpi_comm_world", mpich: "MPIR_Dup_fn" } as const;

/**
 * By the library's own word, which may be had before MPI_Init (MPI 5.0, section 20.2); no name of a file tells. MPIs
 * that know of the standard's ABI have the call in their own ABIs too, and answer -1.
 */
function hasStandardAbi(path: string, library: LibraryHandle, exported: (symbol: string) => boolean): boolean {
  if (!exported("MPI_Abi_get_version")) return false;
  const getVersion = library.func("int MPI_Abi_get_version(void *, void *)") as GetVersion;
  const code = getVersion(ints.first, ints.second);
  const [major, minor] = [takeInt(ints.first), takeInt(ints.second)];
  if (code !== 0 || major > 1)
    throw new MpiLibraryError(`${path}: expected version 1 of the standard's ABI, got ${major}.${minor}`);
  return major === 1;
}

type GetVersion = (major: Int32Array, minor: Int32Array) => number;

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

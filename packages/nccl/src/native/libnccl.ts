import koffi, { type LibraryHandle } from "koffi";
import { UNIQUE_ID_BYTES, type Calls, type Libnccl } from "../calls.js";
import { PROTOTYPES } from "./prototypes.js";

koffi.struct("StowageNcclUniqueId", { internal: koffi.array("uint8_t", UNIQUE_ID_BYTES, "Typed") });

type Call = (...args: never[]) => number;

/** Binds libnccl.so.2. Throws where the library cannot be loaded, or lacks a call: sends and receives came with 2.7. */
export function nativeLibnccl(path: string): Libnccl {
  const library = koffi.load(path);
  const names = Object.keys(PROTOTYPES) as (keyof Calls)[];
  const bind = (name: keyof Calls): Call => library.func(`int ${name}(${PROTOTYPES[name]})`);
  // The FFI edge: PROTOTYPES has a row for each of Calls, so the record is complete.
  const calls = Object.fromEntries(names.map((name) => [name, bind(name)])) as unknown as Calls;
  const { ncclCommInitRank } = calls;
  const structure = (id: Uint8Array) => ({ internal: id }) as unknown as Uint8Array;
  const errorText = library.func("const char *ncclGetErrorString(int)") as (result: number) => string;
  return {
    ...calls,
    ncclCommInitRank: (comm, ranks, id, rank) => ncclCommInitRank(comm, ranks, structure(id), rank),
    errorText,
    lastError: lastErrorOf(library),
  };
}

function lastErrorOf(library: LibraryHandle): () => string {
  try {
    const call = library.func("const char *ncclGetLastError(uintptr_t)") as (comm: number) => string | null;
    return () => call(0) ?? "";
  } catch {
    return () => "";
  }
}

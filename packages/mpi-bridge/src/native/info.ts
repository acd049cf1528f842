import { quoted } from "@stowage/ir";
import { BridgeError } from "../errors.js";
import type { Native } from "./native.js";
import { addressOf, cString, handleList, type HandleList } from "./words.js";

/** An MPI_Info of ours (MPI 4.1, chapter 10). */
export interface Info extends Disposable {
  readonly handle: number;
}

export function makeInfo(native: Native, entries: Readonly<Record<string, string>>): Info {
  requireEntries(entries);
  const cell = handleList(native.mpi, 0);
  native.call("MPI_Info_create", cell.address);
  const free = (): void => native.call("MPI_Info_free", cell.address);
  try {
    for (const [key, value] of Object.entries(entries)) {
      const [name, text] = [cString(key), cString(String(value))];
      native.call("MPI_Info_set", cell.get(0), name.address, text.address);
    }
  } catch (error) {
    free();
    throw error;
  }
  return { handle: cell.get(0), [Symbol.dispose]: free };
}

function requireEntries(entries: Readonly<Record<string, string>>): void {
  const isRecord = typeof entries === "object" && (entries as object | null) !== null && !ArrayBuffer.isView(entries);
  const wrong = isRecord ? Object.entries(entries).find(([, value]) => typeof value !== "string") : undefined;
  if (isRecord && wrong === undefined) return;
  throw new BridgeError("entries of an info", "texts by their keys", quoted(wrong === undefined ? entries : wrong[1]));
}

/** MPI_MAX_INFO_KEY and MPI_MAX_INFO_VAL of any MPI are at most 255 and 1024. */
const KEY_BYTES = 256;
const VALUE_BYTES = 1024;

/** All entries; frees the info. */
export function readInfo(native: Native, cell: HandleList): Readonly<Record<string, string>> {
  const handle = cell.get(0);
  const [key, value] = [new Uint8Array(new ArrayBuffer(KEY_BYTES)), new Uint8Array(new ArrayBuffer(VALUE_BYTES + 1))];
  const entries: Record<string, string> = {};
  const { out } = native;
  native.call("MPI_Info_get_nkeys", handle, out.address);
  const count = out.values[0] as number;
  for (let i = 0; i < count; i++) {
    native.call("MPI_Info_get_nthkey", handle, i, addressOf(key));
    native.call("MPI_Info_get", handle, addressOf(key), VALUE_BYTES, addressOf(value), out.address);
    entries[textOf(key)] = textOf(value);
  }
  native.call("MPI_Info_free", cell.address);
  return entries;
}

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("utf8").replace(/\0.*$/s, "");

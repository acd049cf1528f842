import { basename } from "node:path";

/**
 * What the functions of each type are called: as told, or of one type like the files, or of several each by its own
 * name.
 */
export function symbolsFor(types: readonly string[], name: string, told: readonly string[]): readonly string[] {
  if (told.length > 0 && told.length !== types.length)
    throw new Error(`--symbol: expected once for each of ${types.length} types, got ${told.length}`);
  if (told.length > 0) return told;
  const file = identifier(name);
  return types.length === 1 ? [file] : types.map((type, i) => ownName(type.trim()) ?? `${file}_${i}`);
}

/** A file's name without its ending, an MPI name, a workload's; a document has none. */
function ownName(type: string): string | undefined {
  if (type.startsWith("@")) return identifier(basename(type.slice(1)).replace(/\.[^.]*$/, ""));
  return /^[{"]/.test(type) ? undefined : identifier(type);
}

const identifier = (name: string): string => name.replaceAll(/[^A-Za-z0-9_]/g, "_").replace(/^(?=\d)/, "_");

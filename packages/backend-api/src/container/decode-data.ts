import { ArtifactError } from "../errors.js";
import type { Data, DataTable } from "../artifact.js";
import { MOST_LEVELS, NUMBER, TABLE, type EncodedData } from "./encode-data.js";

const NUMBERS: ReadonlyMap<unknown, number> = new Map(
  Object.entries({ NaN, "-0": -0, Infinity, "-Infinity": -Infinity }),
);

/** The inverse of encodeData, frozen. Throws an ArtifactError for what encodeData never writes. */
export function decodeData(encoded: EncodedData, tables: readonly DataTable[], level = 0): Data {
  if (level > MOST_LEVELS)
    throw new ArtifactError(`data of an artifact: expected at most ${MOST_LEVELS} levels, got more`);
  if (typeof encoded !== "object" || encoded === null) return encoded;
  if (isList(encoded)) return Object.freeze(encoded.map((entry) => decodeData(entry, tables, level + 1)));
  if (Object.hasOwn(encoded, TABLE)) return tables[encoded[TABLE] as number] ?? refuse(encoded);
  if (Object.hasOwn(encoded, NUMBER)) return NUMBERS.get(encoded[NUMBER]) ?? refuse(encoded);
  const entries = Object.entries(encoded).map(([name, value]) => {
    if (name.startsWith("$") && !name.startsWith("$$")) refuse(encoded);
    return [name.startsWith("$") ? name.slice(1) : name, decodeData(value, tables, level + 1)] as const;
  });
  return Object.freeze(Object.fromEntries(entries));
}

/** Array.isArray narrows no read-only array. */
const isList = (encoded: object): encoded is readonly EncodedData[] => Array.isArray(encoded);

function refuse(encoded: EncodedData): never {
  throw new ArtifactError(`data of an artifact: expected a table, a number or a name, got ${JSON.stringify(encoded)}`);
}

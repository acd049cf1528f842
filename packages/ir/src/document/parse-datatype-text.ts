import type { Datatype } from "../datatype/datatype.js";
import { DatatypeError } from "../errors.js";
import { parseDatatype } from "./parse-datatype.js";
import { repeatedKey } from "./repeated-key.js";
import { quoted } from "../checks/quoted.js";

/**
 * The datatype of a JSON text; a bare MPI name needs no quotes: `MPI_DOUBLE`.
 * @throws DatatypeError where the text is not JSON, an object has a key twice, or the document is no datatype.
 */
export function parseDatatypeText(text: string): Datatype {
  if (typeof text !== "string") {
    throw new DatatypeError({ path: "type", subject: "document", expected: "a JSON text", got: quoted(text) });
  }
  const trimmed = text.trim();
  return parseDatatype(/^MPI_\w+$/.test(trimmed) ? trimmed : parseJson(trimmed));
}

function parseJson(text: string): unknown {
  const document = parsed(text);
  const key = repeatedKey(text);
  if (key === undefined) return document;
  const got = `${JSON.stringify(key)} twice`;
  throw new DatatypeError({ path: "type", subject: "document", expected: "each key once", got });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const got = error.message.replace(/\s+/g, " ").slice(0, LONGEST_REASON);
    throw new DatatypeError({ path: "type", subject: "document", expected: "JSON", got }, { cause: error });
  }
}

const LONGEST_REASON = 120;

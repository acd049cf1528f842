import { DatatypeError, parseDatatypeText, type Datatype } from "@stowage/ir";
import { CodeError } from "../dialects/code-error.js";
import { C, FORTRAN, MPI4PY } from "../dialects/grammar.js";
import { parseCode } from "../dialects/parse-code.js";
import { faultInJson, placeInJson, type TextRange } from "../document/place-in-json.js";
import type { Dialect } from "../link/state.js";
import type { Fault } from "./protocol.js";

export type Read = { readonly ok: true; readonly datatype: Datatype } | { readonly ok: false; readonly fault: Fault };

const GRAMMARS = { c: C, mpi4py: MPI4PY, fortran: FORTRAN } as const;

/** What to type first, in each language. */
const SUCH_AS: Readonly<Record<Dialect, string>> = {
  json: '{ "kind": "vector", "count": 4, "blocklength": 1, "stride": 4, "child": "MPI_DOUBLE" }',
  c: "MPI_Type_vector(4, 1, 4, MPI_DOUBLE, &column);",
  mpi4py: "column = MPI.DOUBLE.Create_vector(4, 1, 4)",
  fortran: "call MPI_Type_vector(4, 1, 4, MPI_DOUBLE_PRECISION, column, ierror)",
};

/** The datatype of a text, or what is wrong with it and where. */
export function readText(text: string, dialect: Dialect): Read {
  if (text.trim() === "") {
    const message = `No datatype yet: choose an example above, or type one such as ${SUCH_AS[dialect]}`;
    return { ok: false, fault: { message, from: 0, to: text.length } };
  }
  try {
    return { ok: true, datatype: dialect === "json" ? parseDatatypeText(text) : parseCode(text, GRAMMARS[dialect]) };
  } catch (error) {
    if (error instanceof CodeError) {
      const { message, from, to } = error;
      return { ok: false, fault: { message, from, to } };
    }
    if (!(error instanceof DatatypeError)) throw error;
    return { ok: false, fault: { message: error.message, ...placeOf(error, text) } };
  }
}

function placeOf({ expected, details }: DatatypeError, text: string): TextRange {
  try {
    return expected === "JSON" ? faultInJson(text) : placeInJson(text, details.path ?? "type");
  } catch (error) {
    // Nested deeper than the search for a place follows.
    if (error instanceof RangeError) return { from: 0, to: text.length };
    throw error;
  }
}

import { DatatypeError, parseDatatypeText, type Datatype } from "@stowage/ir";
import { faultInJson, placeInJson, type TextRange } from "../document/place-in-json.js";
import type { Dialect } from "../link/state.js";
import type { Fault } from "./protocol.js";

export type Read = { readonly ok: true; readonly datatype: Datatype } | { readonly ok: false; readonly fault: Fault };

/** The datatype of a text, or what is wrong with it and where. */
export function readText(text: string, dialect: Dialect): Read {
  if (dialect !== "json") return { ok: false, fault: { message: `${dialect}: expected a dialect`, from: 0, to: 0 } };
  try {
    return { ok: true, datatype: parseDatatypeText(text) };
  } catch (error) {
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

import type { Primitive } from "./primitive.js";

/** A DAME program: an ordered list of primitives, outermost first, from EXIT to its BOTTOM. Data, frozen. */
export type DameProgram = { readonly primitives: readonly Primitive[] };

/** Freezes a list of primitives. It checks nothing: verifyDame does. */
export function dameProgram(primitives: readonly Primitive[]): DameProgram {
  return Object.freeze({ primitives: Object.freeze(primitives.map((primitive) => Object.freeze({ ...primitive }))) });
}

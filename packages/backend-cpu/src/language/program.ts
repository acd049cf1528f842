import { quoted } from "@stowage/ir";
import { DameError } from "./dame-error.js";
import type { Primitive } from "./primitive.js";

/**
 * A DAME program: an ordered list of primitives, outermost first, from EXIT to its BOTTOM. It is frozen data;
 * references between primitives are indices into the list.
 */
export type DameProgram = { readonly primitives: readonly Primitive[] };

/**
 * Makes a frozen program of a list of primitives. It checks nothing else: verifyDame does. Throws a DameError for what
 * is no list.
 */
export function dameProgram(primitives: readonly Primitive[]): DameProgram {
  requireList(primitives);
  return Object.freeze({ primitives: Object.freeze(primitives.map((primitive) => Object.freeze({ ...primitive }))) });
}

/**
 * The grammar says which primitives; what plain JavaScript hands over must be a list, and of objects where it is
 * believed.
 */
function requireList(primitives: readonly Primitive[]): readonly Primitive[] {
  if ((Array.isArray as (value: unknown) => boolean)(primitives)) return primitives;
  throw new DameError("primitives of a program", "a list", quoted(primitives));
}

export function requireProgram(program: DameProgram): DameProgram {
  if (typeof program !== "object" || (program as DameProgram | null) === null)
    throw new DameError("program", "an object of primitives", quoted(program));
  const strange = requireList(program.primitives).find(
    (each) => typeof each !== "object" || (each as unknown) === null,
  );
  if (strange !== undefined || program.primitives.includes(undefined as never))
    throw new DameError("primitives of a program", "objects", quoted(strange));
  return program;
}

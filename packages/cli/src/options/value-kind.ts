/**
 * What an option's value must be. Data: the checker reads by it, shells complete by it, and tests make wrong values of
 * it.
 */
export type ValueKind =
  /** One of these; of a list, several, separated by commas. */
  | { readonly kind: "choice"; readonly of: readonly string[]; readonly isList?: true }
  /** Whole numbers; of a list, separated by commas. */
  | { readonly kind: "whole"; readonly least?: number; readonly most?: number; readonly isList?: true }
  /** Bytes with or without a unit; of a list, separated by commas. */
  | { readonly kind: "bytes"; readonly isList?: true; readonly mayBeZero?: true }
  /** A network: nanoseconds and GB/s. */
  | { readonly kind: "wire" }
  /** A file or a folder to be written: looked at before anything is done, its folders are made. */
  | { readonly kind: "output"; readonly of: "file" | "folder"; readonly isDrawn?: true }
  /** Files to be read; what they must hold is the command's to say. */
  | { readonly kind: "input" }
  /** A name or a list that the command knows, or any text. */
  | { readonly kind: "text" };

import { quoted } from "../checks/quoted.js";
import { ArgumentError } from "../errors.js";
import type { SignatureNode } from "./signature-node.js";

/** The sequence of basic types of a datatype, as a value to compare. MPI 4.1, section 5.1 (type signature). */
export interface Signature {
  /** Basic elements; a pair type such as MPI_DOUBLE_INT is two. */
  readonly elements: number;
  /** Bytes of those elements, gaps left out. */
  readonly sizeBytes: number;
  /**
   * 28 hexadecimal digits of a polynomial hash of the sequence: equal signatures have equal hashes, however they were
   * built; unequal ones of one length differ but for a chance of about 2^-100. `sameSignature` decides exactly.
   */
  readonly hash: string;
  /** The exact form: an expression for the sequence. One sequence may have several. */
  readonly root: SignatureNode;
}

const NODE_KINDS: readonly unknown[] = ["empty", "basic", "repeat", "pair"];

/** Throws an ArgumentError where plain JavaScript handed over something else. */
export function requireSignature(value: Signature): Signature {
  const { root } = (typeof value === "object" ? (value as Signature | null) : null) ?? {};
  if (typeof root === "object" && NODE_KINDS.includes((root as SignatureNode | null)?.kind)) return value;
  throw new ArgumentError("signature", "a signature", quoted(value));
}

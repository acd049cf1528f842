import type { CommunicationConstants } from "@stowage/mpi-abi";
import { quoted, type SignatureNode } from "@stowage/ir";
import { ourRank, ourTag } from "../../constants.js";
import { BridgeError } from "../../errors.js";
import type { BridgeType } from "../datatype/bridge-type.js";

/** What a completed operation tells of its message (MPI_Status; MPI 4.1, section 3.2.5). */
export class Status {
  /** The rank that sent the message, or PROC_NULL; of operations that receive none it says nothing. */
  readonly source: number;
  readonly tag: number;
  /** How many packed bytes arrived, gaps left out. */
  readonly sizeBytes: number;
  /** Whether the operation was cancelled, so that no message moved. */
  readonly cancelled: boolean;

  constructor(source: number, tag: number, sizeBytes: number, cancelled = false) {
    this.source = source;
    this.tag = tag;
    this.sizeBytes = sizeBytes;
    this.cancelled = cancelled;
  }

  /**
   * The number of whole elements of a datatype that arrived; undefined where the last is not whole (MPI_Get_count,
   * which says MPI_UNDEFINED). Throws a BridgeError for what `commit` or `typeOf` did not give.
   */
  count(type: BridgeType): number | undefined {
    requireType(type);
    if (type.sizeBytes === 0) return this.sizeBytes === 0 ? 0 : undefined;
    const count = this.sizeBytes / type.sizeBytes;
    return Number.isInteger(count) ? count : undefined;
  }

  /**
   * The number of basic elements that arrived (MPI_Get_elements); undefined where the last is not whole. Throws as
   * count.
   */
  elements(type: BridgeType): number | undefined {
    requireType(type);
    if (type.sizeBytes === 0) return this.sizeBytes === 0 ? 0 : undefined;
    const whole = Math.floor(this.sizeBytes / type.sizeBytes);
    const rest = elementsIn(type.signature.root, this.sizeBytes - whole * type.sizeBytes);
    return rest === undefined ? undefined : whole * type.signature.elements + rest;
  }
}

function requireType(type: unknown): void {
  if (typeof type === "object" && type !== null && "signature" in type && "sizeBytes" in type) return;
  throw new BridgeError("datatype of a status", "what commit or typeOf gave", quoted(type));
}

/** Basic elements that the first `bytes` of a sequence are. */
function elementsIn(node: SignatureNode, bytes: number): number | undefined {
  if (bytes === 0) return 0;
  if (bytes >= node.sizeBytes) return node.elements;
  switch (node.kind) {
    case "empty":
      return 0;
    case "basic":
      return undefined;
    case "repeat": {
      const whole = Math.floor(bytes / node.child.sizeBytes);
      const rest = elementsIn(node.child, bytes - whole * node.child.sizeBytes);
      return rest === undefined ? undefined : whole * node.child.elements + rest;
    }
    case "pair": {
      if (bytes <= node.first.sizeBytes) return elementsIn(node.first, bytes);
      const rest = elementsIn(node.second, bytes - node.first.sizeBytes);
      return rest === undefined ? undefined : node.first.elements + rest;
    }
  }
}

/** The status that a call wrote from a word on. */
export function readStatus(words: Int32Array, start: number, constants: CommunicationConstants): Status {
  const { status } = constants;
  const source = ourRank(words[start + status.source] as number, constants);
  const tag = ourTag(words[start + status.tag] as number, constants);
  return new Status(source, tag, status.bytesAt(words, start));
}

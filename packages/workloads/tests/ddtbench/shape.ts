import { createHash } from "node:crypto";
import type { DatatypeDocument } from "@stowage/ir";

/** A document whose random index lists are replaced by how many different indices they hold. */
export function shapeOf(document: DatatypeDocument): unknown {
  if (typeof document === "string") return document;
  switch (document.kind) {
    case "indexed_block":
      return { ...document, displacements: new Set(document.displacements).size, child: shapeOf(document.child) };
    case "struct":
      return { ...document, children: document.children.map(shapeOf) };
    default:
      return "child" in document ? { ...document, child: shapeOf(document.child) } : document;
  }
}

export function hashOf(shape: unknown): string {
  return createHash("sha256").update(JSON.stringify(shape)).digest("hex").slice(0, 16);
}

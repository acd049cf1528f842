import { createHash } from "node:crypto";
import type { DatatypeDocument } from "@stowage/ir";

/** A document whose random index lists are replaced by how many different indices they hold. */
export function shapeOf(document: DatatypeDocument): unknown {
  if (typeof document === "string") return document;
  if (document.kind === "struct") return { ...document, children: document.children.map(shapeOf) };
  const child = shapeOf(document.child);
  if (document.kind !== "indexed_block") return { ...document, child };
  return { ...document, displacements: new Set(document.displacements).size, child };
}

export function hashOf(shape: unknown): string {
  return createHash("sha256").update(JSON.stringify(shape)).digest("hex").slice(0, 16);
}

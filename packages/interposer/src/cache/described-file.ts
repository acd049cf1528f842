import { decodeArtifact } from "@stowage/backend-api";
import { printDatatypeText } from "@stowage/ir";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { datatypeOf } from "../description/datatype-of.js";
import type { CachedFile } from "./code-cache.js";

/**
 * The datatype that a cached file is of, as the JSON text of its document; or why it cannot be told. It never throws.
 */
export function describedFile(folder: string, { name }: CachedFile): string {
  try {
    const { description } = decodeArtifact(readFileSync(join(folder, name)));
    return description === undefined ? "of no described datatype" : printDatatypeText(datatypeOf(description));
  } catch (error) {
    return `unreadable: ${(error as Error).message}`;
  }
}

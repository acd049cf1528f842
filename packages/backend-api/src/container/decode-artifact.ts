import { DatatypeError, decodeLayouts, quoted, type Layout } from "@stowage/ir";
import type { Artifact, DataTable } from "../artifact.js";
import { ArtifactError } from "../errors.js";
import type { Move } from "../move.js";
import { decodeData } from "./decode-data.js";
import type { Header } from "./format.js";
import { requireConditions, requireEncodedLayouts } from "./header-shape.js";
import { openContainer } from "./open-container.js";
import { readSections } from "./sections.js";

/**
 * The artifact that encodeArtifact stored, with tables of its own. Throws an ArtifactError where the bytes are cut
 * short, damaged, of another version of the container, or no artifact at all; which backend and which version of its
 * payload they are for, that backend's load() checks.
 */
export function decodeArtifact(bytes: Uint8Array): Artifact {
  if (!ArrayBuffer.isView(bytes)) throw new ArtifactError(`artifact: expected its bytes, got ${quoted(bytes)}`);
  const { header, sections } = openContainer(bytes);
  const tables = readSections(header.sections, sections);
  return Object.freeze({
    backend: header.backend,
    formatVersion: header.formatVersion,
    key: header.key,
    moves: decodeMoves(header, tables),
    conditions: requireConditions(decodeData(header.conditions, tables)),
    payload: decodeData(header.payload, tables),
  });
}

function decodeMoves(header: Header, tables: readonly DataTable[]): readonly Move[] {
  const layouts = layoutsOf(header, tables);
  const layoutAt = (row: number): Layout => {
    const found = layouts[row];
    if (found !== undefined) return found;
    throw new ArtifactError(`layout of an artifact: expected one of ${layouts.length}, got ${row}`);
  };
  return Object.freeze(
    header.moves.map(([source, target]) => Object.freeze({ source: layoutAt(source), target: layoutAt(target) })),
  );
}

function layoutsOf({ layouts }: Header, tables: readonly DataTable[]): readonly Layout[] {
  try {
    return decodeLayouts(requireEncodedLayouts(decodeData(layouts, tables)));
  } catch (cause) {
    if (!(cause instanceof DatatypeError)) throw cause;
    throw new ArtifactError(`layouts of an artifact: ${cause.message}`, { cause });
  }
}

import { encodeLayouts, type Layout } from "@stowage/ir";
import { requireArtifact, type Artifact } from "../artifact.js";
import { isReducing, isTabled } from "../move.js";
import type { Reduction } from "../reduce/reduction.js";
import { asciiBytes } from "./ascii.js";
import { encodeData } from "./encode-data.js";
import { checksumOf, CONTAINER_VERSION, FIELD, FIELDS_END, MAGIC, type Header } from "./format.js";
import { requireLittleEndian } from "./little-endian.js";
import { nativeHeader, nativeHeaderEnd } from "./native-header.js";
import { aligned, bytesOfTable, SectionWriter } from "./sections.js";

/**
 * Writes an artifact as one self-describing run of bytes, little-endian. decodeArtifact gives back an artifact that
 * equals it in every field, and encodes to the same bytes. Throws an ArtifactError for what is no artifact, and for a
 * payload with values that are no Data, or more than 256 levels of it.
 */
export function encodeArtifact(artifact: Artifact): Uint8Array {
  requireLittleEndian();
  requireArtifact(artifact);
  const sections = new SectionWriter();
  const header = asciiBytes(JSON.stringify(headerOf(artifact, sections)));
  const headerStart = nativeHeaderEnd(artifact.moves.length);
  const start = aligned(headerStart + header.length);
  const container = new Uint8Array(start + sections.endBytes);
  container.set(header, headerStart);
  const offsets = new Map(sections.tables.map((table, i) => [table, start + (sections.entries[i]?.offset ?? 0)]));
  for (const [table, offset] of offsets) container.set(bytesOfTable(table), offset);
  container.set(
    nativeHeader(artifact, (table) => offsets.get(table) ?? 0),
    FIELDS_END,
  );
  writeFields(container, header.length, artifact.moves.length);
  return container;
}

function writeFields(container: Uint8Array, headerLength: number, moves: number): void {
  container.set(MAGIC);
  const fields = new DataView(container.buffer);
  fields.setUint32(FIELD.version, CONTAINER_VERSION, true);
  fields.setUint32(FIELD.headerLength, headerLength, true);
  fields.setBigUint64(FIELD.totalLength, BigInt(container.length), true);
  fields.setUint32(FIELD.moves, moves, true);
  fields.setUint32(FIELD.checksum, checksumOf(container), true);
}

function headerOf(artifact: Artifact, sections: SectionWriter): Header {
  const { backend, formatVersion, key, moves, conditions, payload, description } = artifact;
  const layouts = distinctLayouts(artifact);
  const rowOf = (layout: Layout): number => layouts.get(layout) as number;
  const encoded = encodeLayouts([...layouts.keys()]);
  return {
    backend,
    formatVersion,
    key,
    conditions: encodeData({ ...conditions }, sections),
    moves: moves.map(({ source, target }) => [rowOf(source), rowOf(target)]),
    ...(moves.some(isReducing) ? { reductions: moves.map(({ reduction }) => encodeReduction(reduction)) } : {}),
    ...(moves.some(isTabled) ? { tables: moves.map(({ tables }) => tables ?? null) } : {}),
    layouts: encodeData({ ...encoded }, sections),
    payload: encodeData(payload, sections),
    ...(description === undefined ? {} : { description: encodeData(description, sections) }),
    sections: sections.entries,
  };
}

const encodeReduction = (reduction: Reduction | undefined): readonly [string, string] | null =>
  reduction === undefined ? null : [reduction.op, reduction.element];

function distinctLayouts({ moves }: Artifact): Map<Layout, number> {
  const layouts = new Map<Layout, number>();
  for (const layout of moves.flatMap(({ source, target }) => [source, target])) {
    if (!layouts.has(layout)) layouts.set(layout, layouts.size);
  }
  return layouts;
}

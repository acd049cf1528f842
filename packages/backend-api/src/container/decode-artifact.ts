import { ArgumentError, DatatypeError, decodeLayouts, quoted, type Layout } from "@stowage/ir";
import type { Artifact, DataTable } from "../artifact.js";
import { ArtifactError } from "../errors.js";
import { requireMove, type Move } from "../move.js";
import type { Reduction } from "../reduce/reduction.js";
import { decodeData } from "./decode-data.js";
import type { Header } from "./format.js";
import { requireStoredConditions, requireEncodedLayouts } from "./header-shape.js";
import { nativeHeader } from "./native-header.js";
import { openContainer, type OpenContainer } from "./open-container.js";
import { readSections } from "./sections.js";

/**
 * Reads the artifact that encodeArtifact stored, with tables of its own. Throws an ArtifactError where the bytes are
 * cut short, damaged (CRC-32), of another version of the container, or no artifact at all. Which backend and which
 * version of its payload they are for, that backend's load() checks.
 */
export function decodeArtifact(bytes: Uint8Array): Artifact {
  if (!ArrayBuffer.isView(bytes)) throw new ArtifactError(`artifact: expected its bytes, got ${quoted(bytes)}`);
  const opened = openContainer(bytes);
  const { header } = opened;
  const tables = readSections(header.sections, opened.sections);
  const artifact = Object.freeze({
    backend: header.backend,
    formatVersion: header.formatVersion,
    key: header.key,
    moves: decodeMoves(header, tables),
    conditions: requireStoredConditions(decodeData(header.conditions, tables)),
    payload: decodeData(header.payload, tables),
    ...descriptionOf(header, tables),
  });
  requireSameNative(artifact, opened, tables);
  return artifact;
}

function descriptionOf({ description }: Header, tables: readonly DataTable[]): Pick<Artifact, "description"> {
  if (description === undefined) return {};
  const decoded = decodeData(description, tables);
  if (decoded instanceof Uint8Array) return { description: decoded };
  throw new ArtifactError("description of an artifact: expected bytes, got other data");
}

/** What programs in C read must say what the header says. */
function requireSameNative(artifact: Artifact, opened: OpenContainer, tables: readonly DataTable[]): void {
  const { header, native, sectionsStart } = opened;
  if (native === undefined) return;
  const offsetOf = (table: DataTable): number => sectionsStart + (header.sections[tables.indexOf(table)]?.offset ?? 0);
  const expected = nativeHeader(artifact, offsetOf);
  if (expected.length === native.length && expected.every((byte, i) => byte === native[i])) return;
  throw new ArtifactError("native header of an artifact: expected what its header says, got something else");
}

function decodeMoves(header: Header, tables: readonly DataTable[]): readonly Move[] {
  const layouts = layoutsOf(header, tables);
  const layoutAt = (row: number): Layout => {
    const found = layouts[row];
    if (found !== undefined) return found;
    throw new ArtifactError(`layout of an artifact: expected one of ${layouts.length}, got ${row}`);
  };
  return Object.freeze(
    header.moves.map(([source, target], i) =>
      requireStoredMove({
        source: layoutAt(source),
        target: layoutAt(target),
        ...reductionAt(header, i),
        ...tablesAt(header, i),
      }),
    ),
  );
}

function reductionAt({ reductions }: Header, i: number): Pick<Move, "reduction"> {
  const [op, element] = reductions?.[i] ?? [];
  return op === undefined ? {} : { reduction: Object.freeze({ op, element }) as Reduction };
}

function tablesAt({ tables }: Header, i: number): Pick<Move, "tables"> {
  const stored = tables?.[i] ?? null;
  return stored === null ? {} : { tables: Object.freeze(stored) };
}

function requireStoredMove(move: Move): Move {
  try {
    return requireMove(Object.freeze(move));
  } catch (cause) {
    if (!(cause instanceof ArgumentError)) throw cause;
    throw new ArtifactError(`move of an artifact: ${cause.message}`, { cause });
  }
}

function layoutsOf({ layouts }: Header, tables: readonly DataTable[]): readonly Layout[] {
  try {
    return decodeLayouts(requireEncodedLayouts(decodeData(layouts, tables)));
  } catch (cause) {
    if (!(cause instanceof DatatypeError)) throw cause;
    throw new ArtifactError(`layouts of an artifact: ${cause.message}`, { cause });
  }
}

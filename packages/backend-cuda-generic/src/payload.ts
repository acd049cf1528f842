import { ArtifactError, requireArtifactOf, type Artifact, type Data } from "@stowage/backend-api";
import type { EncodedLayout } from "./encode/encode-layout.js";

export const NAME = "cuda-generic";
export const FORMAT_VERSION = 3;

export interface EncodedSides {
  readonly source: EncodedLayout;
  readonly target: EncodedLayout;
}

export interface EncodedPart extends EncodedSides {
  /** Where the part lies in the element's packed stream. */
  readonly packedBytes: number;
  readonly sizeBytes: number;
}

/** A move; and, for ranges within one element, the parts it can be cut into. */
export interface EncodedMove extends EncodedSides {
  readonly parts: readonly EncodedPart[];
}

/** What compiling gives: layouts as records and tables, the kernel's text, and how to launch it. */
export interface Payload {
  readonly tableBits: 32 | 64;
  readonly lookaside: Uint8Array;
  readonly moves: readonly EncodedMove[];
  /** For loaders without this package: one kernel's PTX, what its plan block holds, and its grid. */
  readonly standalone: Data;
}

export function dataOf({ tableBits, lookaside, moves, standalone }: Payload): Data {
  const sides = ({ source, target }: EncodedSides) => ({ source: { ...source }, target: { ...target } });
  const parts = (move: EncodedMove): Data =>
    move.parts.map((part) => ({ packedBytes: part.packedBytes, sizeBytes: part.sizeBytes, ...sides(part) }));
  return { tableBits, lookaside, standalone, moves: moves.map((move) => ({ ...sides(move), parts: parts(move) })) };
}

/** Throws an ArtifactError where the artifact is not ours, or of another format version. */
export function payloadOf(artifact: Artifact): Payload {
  const { payload } = requireArtifactOf(artifact, NAME, FORMAT_VERSION);
  const { tableBits, lookaside, moves, standalone } = recordOf(payload, "payload");
  if ((tableBits !== 32 && tableBits !== 64) || !(lookaside instanceof Uint8Array) || !Array.isArray(moves)) {
    throw new ArtifactError(`payload of a ${NAME} artifact: expected tableBits, lookaside and moves, got others`);
  }
  return {
    tableBits,
    lookaside,
    moves: moves.map((move: Data) => moveOf(recordOf(move, "move"))),
    standalone: standalone ?? null,
  };
}

type DataRecord = Readonly<Record<string, Data | undefined>>;

function recordOf(data: Data | undefined, what: string): DataRecord {
  if (data === null || typeof data !== "object" || Array.isArray(data) || ArrayBuffer.isView(data)) {
    throw new ArtifactError(
      `${what} of a ${NAME} artifact: expected an object, got ${data === null ? "null" : typeof data}`,
    );
  }
  return data as DataRecord;
}

function moveOf({ source, target, parts }: DataRecord): EncodedMove {
  if (!Array.isArray(parts))
    throw new ArtifactError(`parts of a ${NAME} artifact: expected a list, got ${typeof parts}`);
  return {
    source: sideOf(source),
    target: sideOf(target),
    parts: parts.map((part: Data) => partOf(recordOf(part, "part"))),
  };
}

function partOf({ source, target, packedBytes, sizeBytes }: DataRecord): EncodedPart {
  if (typeof packedBytes !== "number" || typeof sizeBytes !== "number") {
    throw new ArtifactError(`part of a ${NAME} artifact: expected its place and size, got another record`);
  }
  return { source: sideOf(source), target: sideOf(target), packedBytes, sizeBytes };
}

function sideOf(data: Data | undefined): EncodedLayout {
  const {
    nodes,
    elementGranularity,
    repeatGranularity,
    startBytes,
    meanRunBytes,
    runBytes,
    strided,
    dense,
    searched,
    branching,
  } = recordOf(data, "side");
  if (
    !(nodes instanceof Uint8Array) ||
    typeof elementGranularity !== "number" ||
    typeof repeatGranularity !== "number" ||
    typeof startBytes !== "number" ||
    typeof meanRunBytes !== "number" ||
    typeof runBytes !== "number" ||
    typeof dense !== "boolean" ||
    typeof strided !== "boolean" ||
    typeof searched !== "boolean" ||
    typeof branching !== "boolean"
  ) {
    throw new ArtifactError(`side of a ${NAME} artifact: expected an encoded layout, got another record`);
  }
  return {
    nodes,
    elementGranularity,
    repeatGranularity,
    startBytes,
    meanRunBytes,
    runBytes,
    strided,
    dense,
    searched,
    branching,
  };
}

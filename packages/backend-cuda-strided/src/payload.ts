import { ArtifactError, requireArtifactOf, type Artifact, type Data } from "@stowage/backend-api";
import type { Dimension, Box } from "@stowage/ir";

export const NAME = "cuda-strided";
export const FORMAT_VERSION = 2;

/** What compiling gives: each move's rows, and a kernel for loaders without this package. */
export interface Payload {
  readonly boxes: readonly Box[];
  readonly standalone: Data;
}

export const dataOf = ({ boxes, standalone }: Payload): Data => ({
  boxes: boxes.map(({ startBytes, rowBytes, dimensions }) => ({
    startBytes,
    rowBytes,
    dimensions: dimensions.map(({ count, strideBytes }) => [count, strideBytes]),
  })),
  standalone,
});

/** Throws an ArtifactError where the artifact is not ours, of another format version, or damaged. */
export function payloadOf(artifact: Artifact): Payload {
  const { moves, payload } = requireArtifactOf(artifact, NAME, FORMAT_VERSION);
  const { boxes, standalone } = recordOf(payload, "payload");
  if (!Array.isArray(boxes) || boxes.length !== moves.length) {
    throw new ArtifactError(`boxes of a ${NAME} artifact: expected ${moves.length}, one a move, got others`);
  }
  return { boxes: boxes.map((data: Data) => boxIn(recordOf(data, "box"))), standalone: standalone ?? null };
}

type DataRecord = Readonly<Record<string, Data | undefined>>;

function recordOf(data: Data, what: string): DataRecord {
  if (data === null || typeof data !== "object" || Array.isArray(data) || ArrayBuffer.isView(data)) {
    throw new ArtifactError(
      `${what} of a ${NAME} artifact: expected an object, got ${data === null ? "null" : typeof data}`,
    );
  }
  return data as DataRecord;
}

function boxIn({ startBytes, rowBytes, dimensions }: DataRecord): Box {
  if (typeof startBytes !== "number" || typeof rowBytes !== "number" || !Array.isArray(dimensions)) {
    throw new ArtifactError(`box of a ${NAME} artifact: expected rows and their dimensions, got another record`);
  }
  return { startBytes, rowBytes, dimensions: dimensions.map(dimensionIn) };
}

function dimensionIn(data: Data): Dimension {
  const [count, strideBytes] = Array.isArray(data) ? (data as readonly Data[]) : [];
  if (typeof count === "number" && typeof strideBytes === "number") return { count, strideBytes };
  throw new ArtifactError(`dimension of a ${NAME} artifact: expected a count and a stride, got another list`);
}

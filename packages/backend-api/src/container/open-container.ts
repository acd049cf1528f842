import { ArtifactError } from "../errors.js";
import { asciiText } from "./ascii.js";
import { checksumOf, CONTAINER_VERSION, FIELD, FIELDS_END, MAGIC, OLDEST_VERSION, type Header } from "./format.js";
import { aligned } from "./sections.js";
import { requireHeader } from "./header-shape.js";
import { requireLittleEndian } from "./little-endian.js";
import { nativeHeaderEnd } from "./native-header.js";

/** What a container that is whole holds: its header, the bytes of its sections, and where those begin. */
export interface OpenContainer {
  readonly header: Header;
  readonly sections: Uint8Array;
  readonly sectionsStart: number;
  /** What programs in C read; undefined in version 1. */
  readonly native: Uint8Array | undefined;
}

/** Throws an ArtifactError. */
export function openContainer(container: Uint8Array): OpenContainer {
  requireLittleEndian();
  requireOurs(container);
  const fields = new DataView(container.buffer, container.byteOffset, container.byteLength);
  const version = requireVersion(fields.getUint32(FIELD.version, true));
  expectField("length of an artifact in bytes", fields.getBigUint64(FIELD.totalLength, true), BigInt(container.length));
  expectField("checksum of an artifact", fields.getUint32(FIELD.checksum, true), checksumOf(container));
  const start = version === OLDEST_VERSION ? FIELDS_END : nativeHeaderEnd(fields.getUint32(FIELD.moves, true));
  const headerEnd = start + fields.getUint32(FIELD.headerLength, true);
  const sectionsStart = aligned(headerEnd);
  if (sectionsStart > container.length) {
    throw new ArtifactError(
      `header of an artifact: expected to end within ${container.length} bytes, got ${headerEnd}`,
    );
  }
  return {
    header: parseHeader(container.subarray(start, headerEnd)),
    sections: container.subarray(sectionsStart),
    sectionsStart,
    native: version === OLDEST_VERSION ? undefined : container.subarray(FIELDS_END, start),
  };
}

function requireVersion(version: number): number {
  if (version >= OLDEST_VERSION && version <= CONTAINER_VERSION) return version;
  throw new ArtifactError(`version of an artifact: expected ${OLDEST_VERSION} to ${CONTAINER_VERSION}, got ${version}`);
}

function requireOurs(container: Uint8Array): void {
  if (container.length < FIELDS_END || MAGIC.some((byte, i) => container[i] !== byte)) {
    const got = `${container.length} bytes that do not start as one`;
    throw new ArtifactError(`artifact: expected a container that starts with STOWAGE, got ${got}`);
  }
}

function expectField(subject: string, expected: number | bigint, got: number | bigint): void {
  if (expected !== got) throw new ArtifactError(`${subject}: expected ${String(expected)}, got ${String(got)}`);
}

function parseHeader(bytes: Uint8Array): Header {
  try {
    return requireHeader(JSON.parse(asciiText(bytes)));
  } catch (cause) {
    if (cause instanceof ArtifactError) throw cause;
    throw new ArtifactError("header of an artifact: expected JSON, got other text", { cause });
  }
}

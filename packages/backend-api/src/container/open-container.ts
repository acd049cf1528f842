import { ArtifactError } from "../errors.js";
import { asciiText } from "./ascii.js";
import { checksumOf, CONTAINER_VERSION, FIELD, HEADER_START, MAGIC, type Header } from "./format.js";
import { aligned } from "./sections.js";
import { requireHeader } from "./header-shape.js";
import { requireLittleEndian } from "./little-endian.js";

/** The header of a container that is whole, and the bytes of its sections. Throws an ArtifactError. */
export function openContainer(container: Uint8Array): { header: Header; sections: Uint8Array } {
  requireLittleEndian();
  requireOurs(container);
  const fields = new DataView(container.buffer, container.byteOffset, container.byteLength);
  expectField("version of an artifact", CONTAINER_VERSION, fields.getUint32(FIELD.version, true));
  expectField("length of an artifact in bytes", fields.getBigUint64(FIELD.totalLength, true), BigInt(container.length));
  expectField("checksum of an artifact", fields.getUint32(FIELD.checksum, true), checksumOf(container));
  const headerEnd = HEADER_START + fields.getUint32(FIELD.headerLength, true);
  const start = aligned(headerEnd);
  if (start > container.length) {
    throw new ArtifactError(
      `header of an artifact: expected to end within ${container.length} bytes, got ${headerEnd}`,
    );
  }
  return { header: parseHeader(container.subarray(HEADER_START, headerEnd)), sections: container.subarray(start) };
}

function requireOurs(container: Uint8Array): void {
  if (container.length < HEADER_START || MAGIC.some((byte, i) => container[i] !== byte)) {
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

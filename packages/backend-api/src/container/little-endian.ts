import { ArtifactError } from "../errors.js";

const IS_LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** Tables go into a container as they stand in memory. */
export function requireLittleEndian(): void {
  if (!IS_LITTLE_ENDIAN) throw new ArtifactError("artifact: expected a little-endian machine, got a big-endian one");
}

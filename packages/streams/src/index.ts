export type { ChunkOptions, PackOptions } from "./chunks.js";
export { packChunks, packedStream } from "./pack-chunks.js";
export { unpackChunks, unpackingStream } from "./unpack-chunks.js";

import { fileURLToPath } from "node:url";

/** The built script of a contender's process, wherever this module itself runs from. */
export const PEER_SCRIPT = fileURLToPath(new URL("../../dist/peers/peer-process.js", import.meta.url));

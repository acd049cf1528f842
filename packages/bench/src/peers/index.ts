/// <reference lib="esnext.disposable" preserve="true" />
export { benchPeers, type Comparison } from "./bench-peers.js";
export { CANARY } from "./child/cell-memory.js";
export { addressOf } from "./child/address-of.js";
export { MEMCPY } from "./child/memcpy-peer.js";
export {
  fragmentBytesOf,
  fragmentName,
  fragments,
  targetOf,
  type CellMemory,
  type Fragment,
  type OpenCell,
  type Peer,
  type Variant,
} from "./child/peer.js";
export { recreate } from "./child/recreate.js";
export { Server } from "./child/serve.js";
export { servePeer } from "./child/serve-peer.js";
export { hasNativeCalls, NativeCall } from "./native/native-call.js";
export type { ChildOptions } from "./parent/peer-child.js";
export type { CellSpec, Created, PeerSpec } from "./protocol.js";
export { ring } from "../ring.js";
export { sidesOf, type Sides } from "../sides.js";

import koffi from "koffi";
import { hasNativeCalls, NativeCall } from "../native/native-call.js";
import { addressOf } from "./address-of.js";
import {
  fragmentBytesOf,
  fragmentName,
  fragments,
  type CellMemory,
  type Fragment,
  type OpenCell,
  type Peer,
  type Variant,
} from "./peer.js";

/** The peer that copies the packed stream from memory to memory by the C library: no pack is faster in the long run. */
export const MEMCPY: Peer = {
  name: "memcpy",
  copiesStream: true,
  open,
  create: () => null,
  [Symbol.dispose]: () => undefined,
};

function open(cell: CellMemory): OpenCell {
  const [source, target] = cell.direction === "pack" ? [cell.spare, cell.packed] : [cell.packed, cell.spare];
  source.set(cell.content);
  const all = copier(source, target, [{ first: 0, length: cell.packedBytes }]);
  // A call costs it nothing but the call, in either mode.
  const variants = cell.modes.map((mode): Variant => ({ name: "memcpy", mode, target, run: all }));
  const pieceBytes = fragmentBytesOf(cell);
  if (pieceBytes !== undefined) {
    const run = copier(source, target, fragments(cell.packedBytes, pieceBytes));
    variants.push({ name: fragmentName("memcpy", pieceBytes), mode: "bound", target, run });
  }
  return { variants, refusals: [], [Symbol.dispose]: () => undefined };
}

function copier(source: Uint8Array, target: Uint8Array, pieces: readonly Fragment[]): () => void {
  const copies = pieces.map((piece) => copy(source, target, piece));
  return () => {
    for (const each of copies) each();
  };
}

function copy(source: Uint8Array, target: Uint8Array, { first, length }: Fragment): () => void {
  if (!hasNativeCalls()) return () => target.set(source.subarray(first, first + length), first);
  const memcpy = Number(koffi.load("libc.so.6").symbol("memcpy") as bigint);
  const call = new NativeCall(memcpy, [addressOf(target) + first, addressOf(source) + first, length], [source, target]);
  return () => void call.run();
}

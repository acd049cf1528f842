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
} from "./peer.js";

/** The C library's copy of the packed stream from memory to memory: what no pack is faster than in the long run. */
export const MEMCPY: Peer = {
  name: "memcpy",
  open,
  create: () => null,
  [Symbol.dispose]: () => undefined,
};

function open(cell: CellMemory): OpenCell {
  const [source, target] = cell.direction === "pack" ? [cell.spare, cell.packed] : [cell.packed, cell.spare];
  source.set(cell.content);
  const copying = (name: string, pieces: readonly Fragment[]) => {
    const copies = pieces.map((piece) => copy(source, target, piece));
    const run = (): void => {
      for (const each of copies) each();
    };
    return { name, target, run };
  };
  const pieceBytes = fragmentBytesOf(cell);
  const whole = copying("memcpy", [{ first: 0, length: cell.packedBytes }]);
  const inPieces =
    pieceBytes === undefined
      ? []
      : [copying(fragmentName("memcpy", pieceBytes), fragments(cell.packedBytes, pieceBytes))];
  return { variants: [whole, ...inPieces], refusals: [], [Symbol.dispose]: () => undefined };
}

function copy(source: Uint8Array, target: Uint8Array, { first, length }: Fragment): () => void {
  if (!hasNativeCalls()) return () => target.set(source.subarray(first, first + length), first);
  const memcpy = Number(koffi.load("libc.so.6").symbol("memcpy") as bigint);
  const call = new NativeCall(memcpy, [addressOf(target) + first, addressOf(source) + first, length], [source, target]);
  return () => void call.run();
}

import { hexWord } from "./hex-word.js";
import { requireLayout, type Layout } from "./layout.js";
import { HashMixer, nodeHash } from "./node-hash.js";

/** 64 bits of hash as 16 hexadecimal digits. Equal layouts hash alike; sameLayout decides whether they are equal. */
export function layoutHash(layout: Layout): string {
  const { startBytes, root, lowerBoundBytes, extentBytes } = requireLayout(layout);
  const mixer = new HashMixer();
  mixer.add(startBytes);
  mixer.add(lowerBoundBytes);
  mixer.add(extentBytes);
  mixer.addLanes(nodeHash(root));
  const { high, low } = mixer.lanes();
  return hexWord(high) + hexWord(low);
}

import { forEachRun, locate, quoted } from "@stowage/ir";
import type { BridgeType } from "../message/datatype/bridge-type.js";
import { BridgeError } from "../errors.js";

/**
 * What one rank sees of a file (MPI 4.1, section 14.3): elements of a filetype from a displacement on, one after
 * another.
 */
export interface View {
  readonly displacementBytes: number;
  readonly etype: BridgeType;
  readonly filetype: BridgeType;
}

/** Throws a BridgeError for a filetype that no view may have. */
export function checkView({ displacementBytes, etype, filetype }: View): void {
  if (!Number.isSafeInteger(displacementBytes) || displacementBytes < 0)
    throw new BridgeError("displacement of a view", "bytes of 0 or more", quoted(displacementBytes));
  if (etype.sizeBytes === 0) throw new BridgeError("etype of a view", "one that holds bytes", "an empty one");
  if (filetype.sizeBytes === 0 || filetype.sizeBytes % etype.sizeBytes !== 0)
    throw new BridgeError(
      "filetype of a view",
      `whole etypes of ${etype.sizeBytes} bytes`,
      `${filetype.sizeBytes} bytes`,
    );
  if (!isInOrder(filetype))
    throw new BridgeError("filetype of a view", "displacements of 0 or more that never fall or overlap", "others");
}

/** Whether displacements never fall or overlap, of two elements too: the second lies behind the first. */
function isInOrder({ layout, sizeBytes }: BridgeType): boolean {
  let end = 0;
  let inOrder = true;
  forEachRun(layout, { count: 2, first: 0, length: 2 * sizeBytes }, (offsetBytes, lengthBytes) => {
    if (offsetBytes < end) inOrder = false;
    end = offsetBytes + lengthBytes;
  });
  return inOrder;
}

/** Where in the file a byte of the view lies. */
export const fileOffset = ({ displacementBytes, filetype }: View, viewByte: number): number =>
  displacementBytes + locate(filetype.layout, viewByte);

/** How many bytes of the view, of those in [first, first + length), lie before a file offset; the view is in order. */
export function bytesBefore(view: View, first: number, length: number, offset: number): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (fileOffset(view, first + middle) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

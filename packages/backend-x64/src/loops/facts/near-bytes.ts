/** Short blocks so near each other that one vector reaches several, or that no line between them is left out. */
export interface Near {
  readonly blockBytes: number;
  readonly strideBytes: number;
}

/** Where a packed byte lies on the scattered side, both from the first block's first byte. */
export const scatteredByte = ({ blockBytes, strideBytes }: Near, packed: number): number =>
  Math.floor(packed / blockBytes) * strideBytes + (packed % blockBytes);

/** Bytes from the first block's first to the last one's last: no load of a round reads outside them. */
export const spanOf = ({ blockBytes, strideBytes }: Near, blocks: number): number =>
  (blocks - 1) * strideBytes + blockBytes;

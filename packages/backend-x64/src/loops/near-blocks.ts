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

/** 32 bytes that no round changes. */
export type Constant = Int32Array<ArrayBuffer>;

/** Two loads of 16 bytes, one a lane, and the control by which they are shuffled within their lanes. */
export interface LanePair {
  readonly offsetsBytes: readonly [number, number];
  readonly control: Constant;
}

/** A load that is laid over what came before it: by double words, or by bytes where `dwords` is undefined. */
export interface Blend {
  readonly offsetBytes: number;
  readonly dwords: number | undefined;
  readonly mask: Constant;
}

/** How 32 packed bytes come together in a register; offsets count from the round's first block. */
export type Filling = {
  /** What it costs, its store left out; an operand in memory counts as a load of its own. */
  readonly instructions: number;
  readonly constants: readonly Constant[];
} & (
  | { readonly what: "lanes"; readonly pairs: readonly LanePair[] }
  | {
      readonly what: "overlay";
      readonly baseBytes: number;
      readonly blends: readonly Blend[];
      /** The order of double words at the end; undefined: as they are. */
      readonly order: Constant | undefined;
    }
);

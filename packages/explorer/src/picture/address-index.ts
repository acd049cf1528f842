/** A touched byte: its address from the node's zero, and its position in the node's packed bytes. */
export interface Found {
  readonly address: number;
  readonly packed: number;
}

/**
 * The bytes of a piece of layout in the order of their addresses: what a picture asks of it. Layouts keep packed order;
 * this turns them round without listing a block, so that a type of 2^40 bytes costs what its description costs.
 */
export interface AddressIndex {
  readonly sizeBytes: number;
  /** Touched addresses lie in [lowBytes, highBytes). */
  readonly lowBytes: number;
  readonly highBytes: number;
  /**
   * Whether answers are counted, not estimated: where hundreds of copies lie across one address, their bytes are spread
   * evenly.
   */
  readonly exact: boolean;
  /** Touched bytes below an address; one that is packed twice counts twice. */
  before(address: number): number;
  /** The lowest touched byte from an address on; undefined where there is none. */
  from(address: number): Found | undefined;
}

/** Copies across one address that are looked at one by one. */
export const MOST_ACROSS = 64;

export const lowest = (a: Found | undefined, b: Found | undefined): Found | undefined =>
  a === undefined || (b !== undefined && b.address < a.address) ? b : a;

export const clamp = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most);

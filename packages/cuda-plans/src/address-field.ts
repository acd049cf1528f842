/** What addresses are written into, 64 bits each: the parameters of a launch, or a copy of what lies on the device. */
export interface AddressWords {
  /** Writes a word of 64 bits at an offset in bytes that 8 divides. */
  setWord(offsetBytes: number, value: number): void;
}

/** A place where an address of one side of a move stands. */
export interface AddressField {
  /** What the address is written into. */
  readonly into: AddressWords;
  /** Bytes from the start of `into` to the address. */
  readonly offsetBytes: number;
  /** The side of the move. */
  readonly side: "source" | "target";
  /** Bytes from the side's address 0 of the datatype to the address that the field holds. */
  readonly aheadBytes: number;
}

/**
 * Writes the addresses of one move into its fields. The arguments are the addresses of both sides' datatype address 0.
 * Runs that were sent have a copy of their own.
 */
export function writeAddresses(fields: readonly AddressField[], sourceAddress: number, targetAddress: number): void {
  for (let i = 0; i < fields.length; i++) {
    const { into, offsetBytes, side, aheadBytes } = fields[i] as AddressField;
    into.setWord(offsetBytes, (side === "source" ? sourceAddress : targetAddress) + aheadBytes);
  }
}

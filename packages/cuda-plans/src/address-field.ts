/** What addresses are written into, 64 bits each: the parameters of a launch, or a copy of what lies on the device. */
export interface AddressWords {
  setWord(offsetBytes: number, value: number): void;
}

/** Where an address of one side of a move stands. */
export interface AddressField {
  readonly into: AddressWords;
  readonly offsetBytes: number;
  readonly side: "source" | "target";
  /** Bytes from the side's address 0 of the datatype to the address that the field holds. */
  readonly aheadBytes: number;
}

/** Writes the addresses of one move where they stand; runs that were sent have their own copy. */
export function writeAddresses(fields: readonly AddressField[], sourceAddress: number, targetAddress: number): void {
  for (let i = 0; i < fields.length; i++) {
    const { into, offsetBytes, side, aheadBytes } = fields[i] as AddressField;
    into.setWord(offsetBytes, (side === "source" ? sourceAddress : targetAddress) + aheadBytes);
  }
}

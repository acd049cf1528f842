const [HANDLE_BYTES, NAME_AT] = [64, 20];

/** What a handle for other processes is told by: the name of shared pages, or of the machine that gave it. */
export function writeName(handle: Uint8Array, name: string): void {
  new TextEncoder().encodeInto(name, handle.subarray(NAME_AT));
}

export const nameIn = (handle: Uint8Array): string =>
  new TextDecoder().decode(handle.subarray(NAME_AT, HANDLE_BYTES)).replace(/\0.*$/s, "");

import type { Memory } from "@stowage/backend-api";

/** Memory of one kind, filled and looked into. What it holds next takes the place of what it held. */
export interface Store {
  /** Memory that holds these bytes, as long as they are. */
  hold(bytes: Uint8Array): Memory;
  /** What the bytes that it holds have become. */
  read(): Uint8Array;
}

/** Pageable memory: the bytes themselves. */
export function hostStore(): Store {
  let held: Uint8Array = new Uint8Array();
  return {
    hold(bytes) {
      held = bytes;
      return { kind: "host", sizeBytes: bytes.length, bytes };
    },
    read: () => held,
  };
}

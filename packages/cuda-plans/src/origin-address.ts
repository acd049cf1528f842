import { isAddressSpace, type Span } from "@stowage/backend-api";

/** The address of a span's datatype address 0; NaN in an address space, which has no one address. */
export const originAddress = ({ memory, originBytes }: Span): number =>
  isAddressSpace(memory) ? NaN : (memory.address ?? 0) + originBytes;

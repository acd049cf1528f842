import type { CarrierClass } from "./carrier.js";
import { Chunked } from "./chunked.js";
import { Gapped } from "./gapped.js";
import { Ipc } from "./ipc.js";
import { Native } from "./native.js";
import { Nccl } from "./nccl.js";
import { Packed } from "./packed.js";

/** Every carrier. A frame names the one of its offer by its place here: new ones come last. */
export const CARRIERS: readonly CarrierClass[] = [Native, Packed, Gapped, Chunked, Ipc, Nccl];

import type { Stream } from "@stowage/ir";
import { LINE_BYTES } from "./cache.js";

/** Whether a stream is of short blocks, each in a line of its own or two. */
export const isShort = ({ child }: Stream): boolean =>
  child.kind === "dense" && child.lengthBytes > 0 && child.lengthBytes <= LINE_BYTES;

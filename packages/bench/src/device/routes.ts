/**
 * The routes of a bench on a GPU: where the packed bytes lie. "device": in its own memory; "one-shot": in pinned host
 * memory, which kernels and copies read and write directly.
 */
export const DEVICE_ROUTES = ["device", "one-shot"] as const;

/** A route of a bench on a GPU. */
export type DeviceRoute = (typeof DEVICE_ROUTES)[number];

/** The kind of memory that holds the packed bytes. */
export type PackedKind = "device" | "pinned";

/** The kind of memory that holds the packed bytes on a route. */
export const packedKind = (route: DeviceRoute): PackedKind => (route === "device" ? "device" : "pinned");

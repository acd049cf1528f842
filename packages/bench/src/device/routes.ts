/**
 * Where packed bytes end on a GPU: in its own memory, or in pinned host memory that kernels and copies write directly.
 */
export const DEVICE_ROUTES = ["device", "one-shot"] as const;

export type DeviceRoute = (typeof DEVICE_ROUTES)[number];

export type PackedKind = "device" | "pinned";

export const packedKind = (route: DeviceRoute): PackedKind => (route === "device" ? "device" : "pinned");

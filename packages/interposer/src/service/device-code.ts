import { typeKey } from "@stowage/backend-api";
import { GPU_ARTIFACT, gpuArtifact, type ptxBackend } from "@stowage/compile";
import { canonicalise, lower } from "@stowage/ir";
import { LIBRARY_VERSION } from "@stowage/libstowage";
import { datatypeOf } from "../description/datatype-of.js";
import { VERSION } from "../version.js";

/** Code for GPUs is of one level. */
export const DEVICE_LEVEL = GPU_ARTIFACT.level;

/**
 * The container of a described type's kernels for GPUs: a pack and an unpack, as runtime/stowage_cuda.h launches them.
 * @throws StowageError where the bytes are no description, or the type has more nodes than fit a launch
 */
export const deviceCode = (description: Uint8Array, backend: ReturnType<typeof ptxBackend>): Uint8Array =>
  gpuArtifact(canonicalise(lower(datatypeOf(description))), description, backend);

/** What names a type's kernels: c/code/cache.c of libstowage computes the same. */
export const deviceKeyOf = (description: Uint8Array, version = VERSION): string =>
  typeKey(description, { ...GPU_ARTIFACT, direction: "pack", tuning: version });

/** Whether a key names a type's kernels for a rank, or for a program over libstowage. */
export const isDeviceKeyOf = (key: string, description: Uint8Array): boolean =>
  [VERSION, LIBRARY_VERSION].some((version) => deviceKeyOf(description, version) === key);

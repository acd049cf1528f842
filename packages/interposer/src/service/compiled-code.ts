import {
  conditions,
  encodeArtifact,
  packMove,
  typeKey,
  unpackMove,
  type Artifact,
  type Backend,
} from "@stowage/backend-api";
import { canonicalise, denseLayout, lower } from "@stowage/ir";
import { LIBRARY_VERSION } from "@stowage/libstowage";
import { datatypeOf } from "../description/datatype-of.js";
import { VERSION } from "../version.js";

/**
 * The container of a described type: a pack and an unpack, and the description, which readers compare.
 * @throws StowageError where the bytes are no description, or the backend cannot take the type.
 */
export function compiledCode(description: Uint8Array, backend: Pick<Backend, "compile">): Uint8Array {
  const layout = canonicalise(lower(datatypeOf(description)));
  const artifact = backend.compile([packMove(layout), unpackMove(layout)], conditions());
  return encodeArtifact({ ...artifact, description });
}

/** The level that a backend compiles for here. Throws where it can compile for no level at all. */
export function levelOf(backend: Backend): string {
  const { payload } = backend.compile([packMove(denseLayout(1))], conditions()) as Artifact & {
    readonly payload: { readonly level: string };
  };
  return payload.level;
}

/**
 * What names a type's code: c/code/cache.c of libstowage computes the same. Another version of ours has another key.
 */
export const keyOf = (description: Uint8Array, level: string, version = VERSION): string =>
  typeKey(description, { direction: "pack", backend: "x64", formatVersion: 1, level, tuning: version });

/** Whether a key names a type's code for a rank, or for a program over libstowage. */
export const isKeyOf = (key: string, description: Uint8Array, level: string): boolean =>
  [VERSION, LIBRARY_VERSION].some((version) => keyOf(description, level, version) === key);

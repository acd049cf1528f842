import { measureTerms, openMpi, type MpiTerms } from "@stowage/mpi-bridge";
import { outputFile } from "@stowage/bench";
import { parseProfile, profileText, type ProfileDocument } from "@stowage/selector";
import { readFileSync } from "node:fs";
import { print } from "../print.js";

/** Adds what this MPI's messages and packs cost to a profile that is there. All ranks measure; rank 0 writes. Throws one line where there is none. */
export function addMpiTerms(path: string, json: boolean): void {
  const document = readProfile(path);
  const mpi = openMpi();
  const terms = measureTerms(mpi);
  if (mpi.world.rank !== 0) return;
  const profile = { ...document, figures: { ...document.figures, [terms.mpi]: figuresOfTerms(terms) } };
  outputFile(path, "--out").write(profileText(profile));
  if (json) return print(profileText(profile));
  print(`${path}: terms of ${terms.mpi} of ${mpi.world.size} ranks added, ${terms.messages.length} sizes of messages`);
}

function readProfile(path: string): ProfileDocument {
  try {
    return parseProfile(readFileSync(path, "utf8"), `profile ${path}`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    throw new Error(
      `profile ${path}: expected one to add an MPI's terms to (stowage calibrate, without mpirun), got none`,
      {
        cause: error,
      },
    );
  }
}

/** Half a round trip by bytes, and packing by the length of blocks: nanoseconds, and nanoseconds a byte. */
export function figuresOfTerms({ messages, packs }: MpiTerms): Readonly<Record<string, number>> {
  return Object.fromEntries([
    ...messages.map(({ bytes, medianNs }) => [`messageNs.${bytes}`, medianNs] as const),
    ...packs.flatMap(({ blockBytes, bytes, nativeNs, packedNs }) => [
      [`nativeNsPerByte.${blockBytes}`, nativeNs / bytes] as const,
      [`packedNsPerByte.${blockBytes}`, packedNs / bytes] as const,
    ]),
  ]);
}

/** Of a profile's section: what so many contiguous bytes take one way, between the sizes that were measured; undefined where none were. */
export function messageNs(figures: Readonly<Record<string, number>> | undefined, bytes: number): number | undefined {
  const points = Object.entries(figures ?? {})
    .filter(([name]) => name.startsWith("messageNs."))
    .map(([name, ns]) => [Number(name.slice("messageNs.".length)), ns] as const)
    .sort(([a], [b]) => a - b);
  const above = points.find(([size]) => size >= bytes);
  const below = points.filter(([size]) => size <= bytes).at(-1);
  if (above === undefined && below === undefined) return undefined;
  // Beyond the largest, as its bytes take; below the smallest, as it does.
  if (above === undefined || below === undefined) {
    const [size, ns] = (above ?? below) as readonly [number, number];
    return bytes < size ? ns : (ns * bytes) / size;
  }
  if (above[0] === below[0]) return above[1];
  return below[1] + ((above[1] - below[1]) * (bytes - below[0])) / (above[0] - below[0]);
}

import { measureTerms, openMpi, type MpiTerms } from "@stowage/mpi-bridge";
import { outputFile } from "@stowage/bench";
import { parseProfile, profileText, type ProfileDocument } from "@stowage/selector";
import { readFileSync } from "node:fs";
import { print } from "../print.js";

/**
 * Adds what this MPI's messages and packs cost to a profile that is there. All ranks measure; rank 0 writes. Throws one
 * line where there is none.
 */
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

import type { Mode } from "../../results/row.js";
import type { Answers, Created, Request } from "../protocol.js";
import { PeerError, type PeerChild } from "./peer-child.js";

/** One way of one contender to move the cell that stands open, and what it has done so far. */
export interface Entry {
  readonly child: PeerChild;
  readonly variant: number;
  /** The contender's name in result rows. */
  readonly contender: string;
  readonly mode: Mode;
  readonly samplesNs: number[];
  readonly created: NonNullable<Created["times"]>[];
  /** It failed on this cell, and has no row. */
  out: boolean;
}

/** Asks a contender. Where it fails, it is out of this cell, and `remarks` say why in one line. */
export async function askEntry<Asked extends Request>(
  entry: Entry,
  request: Asked,
  remarks: Set<string>,
): Promise<Answers[Asked["ask"]] | undefined> {
  try {
    return await entry.child.ask(request);
  } catch (error) {
    if (!(error instanceof PeerError)) throw error;
    entry.out = true;
    remarks.add(error.message);
    return undefined;
  }
}

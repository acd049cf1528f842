import { directionOf, type Move } from "@stowage/backend-api";
import { StowageError } from "@stowage/ir";
import type { Candidate } from "./candidate.js";

/** The error of moves that no registered backend takes. The message says why each refused. */
export class NoBackendError extends StowageError {
  override readonly name = "NoBackendError";

  constructor(moves: readonly Move[], candidates: readonly Candidate[]) {
    const subject = `backend for ${moves.map(directionOf).join(", ")}`;
    super("STOWAGE_NO_BACKEND", { subject, expected: "one that supports it", got: refusals(candidates) });
  }
}

function refusals(candidates: readonly Candidate[]): string {
  if (candidates.length === 0) return "none registered";
  return candidates.map(({ backend, support }) => `${backend.name}: ${support.ok ? "yes" : support.reason}`).join("; ");
}

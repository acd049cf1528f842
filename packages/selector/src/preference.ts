import { directionOf, unsupported, type Backend, type Conditions, type Move, type Support } from "@stowage/backend-api";

/** What one backend said when moves were to be placed. */
export interface Candidate {
  readonly backend: Backend;
  readonly support: Support;
}

export interface Choice {
  readonly chosen: Backend;
  /** Why this one, in words for the user. */
  readonly reason: string;
  readonly candidates: readonly Candidate[];
}

/**
 * Until measured cost models choose: machine code before the interpreter on the host; on a device the kernel for
 * strided objects before the one for any datatype, and copy engines where neither takes the moves.
 */
export const PREFERENCE: readonly string[] = ["x64", "cuda-strided", "cuda-generic", "dma", "cpu"];

/** The first backend, in order of preference, that supports the moves; or the one that `forced` names. */
export function choose(
  backends: readonly Backend[],
  moves: readonly Move[],
  conditions: Conditions,
  forced?: string,
): Choice {
  const candidates = byPreference(backends).map((backend) => ({
    backend,
    support:
      forced === undefined || backend.name === forced
        ? backend.supports(moves, conditions)
        : unsupported(`${forced} was asked for by name`),
  }));
  const chosen = candidates.find(({ support }) => support.ok);
  if (chosen === undefined) throw new NoBackendError(moves, candidates, forced);
  const reason = forced === undefined ? "first in order of preference that takes the moves" : "asked for by name";
  return { chosen: chosen.backend, reason, candidates };
}

function byPreference(backends: readonly Backend[]): readonly Backend[] {
  const rank = ({ name }: Backend): number => {
    const place = PREFERENCE.indexOf(name);
    // A user's own backend was registered for a purpose: it goes before ours.
    return place === -1 ? -1 : place;
  };
  return [...backends].sort((a, b) => rank(a) - rank(b));
}

/** No registered backend takes the moves. The message says why each refused. */
export class NoBackendError extends Error {
  override readonly name = "NoBackendError";

  constructor(moves: readonly Move[], candidates: readonly Candidate[], forced: string | undefined) {
    const what = moves.map(directionOf).join(", ");
    const unknown = forced !== undefined && !candidates.some(({ backend }) => backend.name === forced);
    const names = candidates.map(({ backend }) => backend.name).join(", ");
    super(
      unknown
        ? `backend: expected one of ${names}, got ${forced}`
        : `backend for ${what}: expected one that supports it, got ${refusals(candidates)}`,
    );
  }
}

function refusals(candidates: readonly Candidate[]): string {
  if (candidates.length === 0) return "none registered";
  return candidates.map(({ backend, support }) => `${backend.name}: ${support.ok ? "yes" : support.reason}`).join("; ");
}

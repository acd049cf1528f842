import { realpathSync } from "node:fs";
import type { Environment } from "../environment.js";
import { onPath, readByWrappers } from "../run/launcher.js";
import { VERSION } from "../version.js";
import { answerName, keepAnswer, keptAnswer, stamped } from "./kept-answer.js";
import { mpiIdentity, type MpiIdentity } from "./mpi-identity.js";

/**
 * What mpiIdentity tells, asked once: two runs of a compiler cost a command some 50 ms. It is kept beside the libraries
 * and holds while the wrapper and its mpi.h are the files that they were, in the same environment.
 * @throws InterposerError as mpiIdentity does
 */
export function knownIdentity(
  mpicc: string,
  folder: string,
  flags: readonly string[] = [],
  environment: Environment = process.env,
): MpiIdentity {
  const wrapper = onPath(mpicc, environment);
  if (wrapper === undefined) return mpiIdentity(mpicc, flags);
  const name = answerName("mpi", [VERSION, wrapper, ...flags, ...readByWrappers(environment)]);
  const known = keptAnswer<MpiIdentity>(folder, name);
  if (known !== undefined) return known;
  const identity = mpiIdentity(mpicc, flags);
  keepAnswer(folder, name, identity, stamped([wrapper, realpathSync(wrapper), identity.header]));
  return identity;
}

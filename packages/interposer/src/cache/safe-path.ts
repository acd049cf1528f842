import { lstatSync, mkdirSync, readlinkSync, type Stats } from "node:fs";
import { isAbsolute, join } from "node:path";
import { ownerOf, userNamespace, type Owner, type UserNamespace } from "./file-owners.js";

export const OTHERS_WRITE = 0o022;
const STICKY = 0o1000;
/** As path_resolution(7). */
const MOST_LINKS = 40;

/** A folder of which no other user can put another in its place. */
export interface SafeFolder {
  /** Absolute and without links: what the name led to when it was checked, and does for ever. */
  readonly path: string;
  readonly uid: number;
  readonly mode: number;
  readonly owner: Owner;
}

/** A path that is not safe: by which of its components. */
export class UnsafePathError extends Error {
  override readonly name = "UnsafePathError";
  readonly component: string;

  constructor(component: string, got: string) {
    super(got);
    this.component = component;
  }
}

/**
 * Follows a path component by component, links too, as the kernel does, and checks each by lstat before it is entered
 * (sshd's safe_path, which takes no sticky folder): it is this user's or root's, and others cannot write to it, or
 * remove alone what is theirs (sticky). Then only this user and root can rename or replace what comes next, so that
 * nothing can be swapped after it was checked. Whose the last one is, and what may be done in it, is the caller's to
 * judge.
 * @returns undefined where there is no such folder, unless `isMade`: then it is made, for this user alone
 * @throws UnsafePathError that says which component is not so; what the system says
 */
export function safeFolder(path: string, isMade = false): SafeFolder | undefined {
  const namespace = userNamespace();
  const names = [...(isAbsolute(path) ? [] : process.cwd().split("/")), ...path.split("/")];
  let folder = checkedFolder("/", namespace);
  for (let links = 0, name = names.shift(); name !== undefined; name = names.shift()) {
    const next = join(folder.path, name);
    const facts = factsOf(next, isMade);
    if (facts === undefined) return undefined;
    if (!facts.isSymbolicLink()) {
      folder = checkedFolder(next, namespace);
      continue;
    }
    checkedOwner(next, facts, namespace);
    if (++links > MOST_LINKS) throw new UnsafePathError(path, `more than ${MOST_LINKS} links`);
    const target = readlinkSync(next);
    names.unshift(...target.split("/"));
    if (isAbsolute(target)) folder = checkedFolder("/", namespace);
  }
  return folder;
}

function factsOf(path: string, isMade: boolean): Stats | undefined {
  const facts = lstatSync(path, { throwIfNoEntry: false });
  if (facts !== undefined || !isMade) return facts;
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error; // else another process of ours was first
  }
  return lstatSync(path);
}

function checkedFolder(path: string, namespace: UserNamespace): SafeFolder {
  const facts = lstatSync(path);
  if (!facts.isDirectory()) throw new UnsafePathError(path, "no folder");
  const { uid, mode } = facts;
  const owner = checkedOwner(path, facts, namespace);
  if ((mode & OTHERS_WRITE) !== 0 && (mode & STICKY) === 0) throw new UnsafePathError(path, whose(facts));
  return { path, uid, mode, owner };
}

function checkedOwner(path: string, facts: Stats, namespace: UserNamespace): Owner {
  const owner = ownerOf(facts.uid, path, namespace);
  if (owner === "another") throw new UnsafePathError(path, whose(facts));
  return owner;
}

/** As messages say it. */
export const whose = ({ uid, mode }: { readonly uid: number; readonly mode: number }): string =>
  `user ${uid}'s of mode ${(mode & 0o7777).toString(8).padStart(4, "0")}`;

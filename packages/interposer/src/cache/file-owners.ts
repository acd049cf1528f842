import { readFileSync } from "node:fs";
import { dirname } from "node:path";

/** Whose a file is: this user's, root's, or anybody else's. */
export type Owner = "user" | "root" | "another";

/** What decides whose a user number is: user_namespaces(7). */
export interface UserNamespace {
  /** This process's effective user, by the number that it has inside. */
  readonly user: number | undefined;
  /** Text of /proc/self/uid_map: lines of first number inside, first number in the parent namespace, how many. */
  readonly map: string;
  /** As whom stat(2) shows users who have no number inside: /proc/sys/kernel/overflowuid. */
  readonly overflowUser: number;
  /** Text of /proc/self/mountinfo. */
  readonly mounts: string;
}

/** The number of user ids: all 32-bit numbers but -1, which stands for none. */
const ALL_USERS = 2 ** 32 - 1;

/**
 * Whose a file of a path without links is, by the number that stat(2) shows.
 *
 * In a rootless container few users have a number; all others, the host's root among them, are shown as the overflow
 * user, so that root's folders and a stranger's look alike. That number is no user's then. It counts as root's only
 * where the host's root has no number inside, and only of what whoever set the container up has put in its place:
 * what lies directly in `/`, whose owner supplies the C library and Node anyway, and a mount's root; but not FUSE's,
 * since every user may mount those. A folder deeper in the host's file systems may be any user's.
 */
export function ownerOf(uid: number, path: string, namespace: UserNamespace): Owner {
  const { user, map, overflowUser, mounts } = namespace;
  const ranges = rangesOf(map);
  const isWhole = ranges.reduce((sum, { count }) => sum + count, 0) >= ALL_USERS;
  if (!isWhole && uid === overflowUser) {
    const isRootInside = ranges.some(({ outside }) => outside === 0);
    return !isRootInside && (dirname(path) === "/" || isMountPoint(path, mounts)) ? "root" : "another";
  }
  if (uid === user) return "user";
  return uid === 0 ? "root" : "another";
}

const rangesOf = (map: string): readonly { readonly outside: number; readonly count: number }[] =>
  map
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter((numbers) => numbers.length === 3)
    .map(([, outside = 0, count = 0]) => ({ outside, count }));

/** Kernels without user namespaces have neither file: all users have their numbers then. */
const WHOLE_MAP = `0 0 ${ALL_USERS}`;
const OVERFLOW_USER = "65534";

/** This process's. */
export const userNamespace = (): UserNamespace => ({
  user: process.geteuid?.(),
  map: textOf("/proc/self/uid_map") ?? WHOLE_MAP,
  overflowUser: Number(textOf("/proc/sys/kernel/overflowuid") ?? OVERFLOW_USER),
  mounts: textOf("/proc/self/mountinfo") ?? "",
});

/** A line of proc_pid_mountinfo(5) has the path as its fifth word, and the file system's type behind a hyphen. */
const isMountPoint = (path: string, mounts: string): boolean =>
  mounts.split("\n").some((line) => unescaped(line.split(" ")[4] ?? "") === path && !/ - fuse/.test(line));

/** Spaces and their like are octal there. */
const unescaped = (word: string): string =>
  word.replaceAll(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(parseInt(octal, 8)));

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

import { randomUUID } from "node:crypto";
import {
  accessSync,
  constants,
  lstatSync,
  mkdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  type Stats,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/** Where a text is to go, looked at before there is one. */
export interface OutputFile {
  /** Whether it is a file that a new text takes the place of; else a device, pipe or socket, which gets the text once. */
  readonly replaceable: boolean;
  /** Writes a text. Throws one line where that fails; the file is then what it was. */
  write(text: string): void;
}

/**
 * Looks at what a user named as an output. A file, or what a symbolic link names, gets its new content in one step: a
 * reader never sees half of it. A device, pipe or socket is written to. Throws one line, which begins with `subject`,
 * where neither is possible.
 */
export function outputFile(path: string, subject: string): OutputFile {
  const target = linkTarget(path, subject);
  const found = statOf(target);
  if (found?.isDirectory()) throw new Error(`${subject}: expected a file, got the directory ${path}`);
  if (found !== undefined && !found.isFile())
    return { replaceable: false, write: (text) => attempt(subject, path, () => writeFileSync(target, text)) };
  const folder = dirname(target);
  if (!statOf(folder)?.isDirectory()) throw new Error(`${subject}: expected a folder that exists, got ${dirname(path)}`);
  attempt(subject, path, () => accessSync(folder, constants.W_OK));
  return { replaceable: true, write: (text) => attempt(subject, path, () => replace(target, text)) };
}

/** Makes a folder where there is none. Throws one line where that fails. */
export function outputFolder(path: string, subject: string): void {
  const found = statOf(path);
  if (found?.isDirectory()) return;
  if (found !== undefined) throw new Error(`${subject}: expected a folder, got the file ${path}`);
  // One at a time: Node's own recursion never ends in /proc.
  const parent = dirname(resolve(path));
  if (parent !== resolve(path)) outputFolder(parent, subject);
  attempt(subject, path, () => mkdirSync(path));
}

function replace(target: string, text: string): void {
  const draft = join(dirname(target), `.${basename(target)}.${randomUUID().slice(0, 8)}.part`);
  try {
    writeFileSync(draft, text, { flag: "wx" });
    renameSync(draft, target);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** Where a path leads by symbolic links, also where nothing is there yet. */
function linkTarget(path: string, subject: string, links = 0): string {
  if (links > 40) throw new Error(`${subject}: expected a file, got ${path}, a symbolic link in a circle`);
  if (!lstatOf(path)?.isSymbolicLink()) return path;
  if (statOf(path) !== undefined) return realpathSync(path);
  return linkTarget(resolve(dirname(path), readlinkSync(path)), subject, links + 1);
}

const statOf = (path: string): Stats | undefined => orNothing(() => statSync(path));
const lstatOf = (path: string): Stats | undefined => orNothing(() => lstatSync(path));

function orNothing<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}

function attempt(subject: string, path: string, action: () => void): void {
  try {
    action();
  } catch (error) {
    const { code = "an error" } = error as NodeJS.ErrnoException;
    throw new Error(`${subject}: expected to write ${path}, got ${code}`, { cause: error });
  }
}

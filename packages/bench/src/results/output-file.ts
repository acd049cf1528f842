import { ArgumentError } from "@stowage/ir";
import { randomUUID } from "node:crypto";
import {
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
import { requireText } from "../require-value.js";

/** A text, or bytes. */
export type Content = string | Uint8Array;

/** Where new content is to go, looked at before there is any. */
export interface OutputFile {
  /**
   * Whether the output is a regular file, or will be: new content then replaces it in one step. Else it is a device,
   * pipe or socket, which is written to once.
   */
  readonly replaceable: boolean;
  /** Writes the content. Throws an ArgumentError where that fails; a file is then what it was. */
  write(content: Content): void;
  /**
   * Does the first half of `write`: all is written, beside the file, and its place is not taken yet. So none of several
   * files is replaced alone. Throws an ArgumentError where that fails.
   */
  stage(content: Content): StagedOutput;
}

/** A content that lies beside the file that it is for: in its place with `commit`, gone with `discard`. */
export interface StagedOutput {
  commit(): void;
  discard(): void;
}

/**
 * Looks at the path that a user named as an output, and leaves nothing there. A file, or what a symbolic link names,
 * gets its new content in one step: a reader never sees half of it; folders that it lies in are made then. A device,
 * pipe or socket is written to. Throws an ArgumentError, whose line begins with `subject`, where neither is possible.
 */
export function outputFile(path: string, subject: string): OutputFile {
  requireText(subject, "subject of a file");
  requireText(path, subject);
  const target = linkTarget(path, subject);
  const found = statOf(target);
  if (found?.isDirectory()) throw new ArgumentError(subject, "a file", `the directory ${path}`);
  if (found !== undefined && !found.isFile())
    return fileOf(false, (content) => ({
      commit: () => attempt(subject, path, () => writeFileSync(target, content)),
      discard: () => undefined,
    }));
  const folder = dirname(resolve(target));
  requireWritable(folder, path, subject);
  return fileOf(true, (content) => {
    attempt(subject, path, () => makeFolder(folder));
    const draft = attempt(subject, path, () => draftOf(target, content));
    const discard = (): void => rmSync(draft, { force: true });
    const commit = (): void => attempt(subject, path, () => cleaned(() => renameSync(draft, target), discard));
    return { commit, discard };
  });
}

const fileOf = (replaceable: boolean, stage: OutputFile["stage"]): OutputFile => ({
  replaceable,
  write: (content) => stage(content).commit(),
  stage,
});

/**
 * Looks at the path that a user named as a folder for outputs, and leaves nothing there: an outputFile in it makes the
 * folder. Throws an ArgumentError, whose line begins with `subject`, where that could not be.
 */
export function outputFolder(path: string, subject: string): void {
  requireText(path, subject);
  requireWritable(resolve(path), path, subject);
}

/** Tries whether a file can be written into a folder, or into the nearest above it that is there. */
function requireWritable(folder: string, path: string, subject: string): void {
  let there = folder;
  while (statOf(there) === undefined && dirname(there) !== there) there = dirname(there);
  if (!statOf(there)?.isDirectory()) throw new ArgumentError(subject, "a folder", `the file ${there}`);
  attempt(subject, path, () => rmSync(draftOf(join(there, "stowage"), "")));
}

/** One folder at a time: Node's own recursion never ends in /proc. */
function makeFolder(path: string): void {
  if (statOf(path)?.isDirectory()) return;
  makeFolder(dirname(path));
  mkdirSync(path);
}

/** Writes a content beside its file, or nothing. */
function draftOf(target: string, content: Content): string {
  const draft = join(dirname(target), `.${basename(target)}.${randomUUID().slice(0, 8)}.part`);
  cleaned(
    () => writeFileSync(draft, content, { flag: "wx" }),
    () => rmSync(draft, { force: true }),
  );
  return draft;
}

function cleaned(action: () => void, undo: () => void): void {
  try {
    action();
  } catch (error) {
    undo();
    throw error;
  }
}

/** Where a path leads by symbolic links, also where nothing is there yet. */
function linkTarget(path: string, subject: string, links = 0): string {
  if (links > 40) throw new ArgumentError(subject, "a file", `${path}, a symbolic link in a circle`);
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

function attempt<T>(subject: string, path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    const { code = "an error" } = error as NodeJS.ErrnoException;
    throw new ArgumentError(subject, `to write ${path}`, code, { cause: error });
  }
}

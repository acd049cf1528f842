import { formatBytes } from "@stowage/bench";
import {
  cacheFolders,
  CodeCache,
  describedFile,
  exportFiles,
  readRecordings,
  warmCache,
  type CachedFile,
  type CodeLevel,
} from "@stowage/interposer";
import { print, printJson } from "../print.js";
import { align } from "../tables/align.js";

const LONGEST_TYPE = 60;

/** `stowage cache ls`. */
export function listCache({ json }: { readonly json?: boolean }): void {
  const cache = new CodeCache(cacheFolders()[0]);
  const files = cache.list().map((file) => ({ ...file, type: describedFile(cache.folder, file) }));
  if (json === true) return printJson({ folder: cache.folder, mostBytes: cache.mostBytes, files });
  const rows = files.map(({ name, bytes, usedAt, type }) => [
    name,
    formatBytes(bytes),
    usedAt.toISOString().slice(0, 16).replace("T", " "),
    type.length > LONGEST_TYPE ? `${type.slice(0, LONGEST_TYPE - 1)}…` : type,
  ]);
  if (rows.length > 0) print(align([["file", "size", "used", "datatype"], ...rows]));
  print(`${cache.folder}: ${total(files)} of at most ${formatBytes(cache.mostBytes)}`);
}

/** `stowage cache prune`. */
export function pruneCache({ to }: { readonly to?: number }): void {
  const cache = new CodeCache(cacheFolders()[0]);
  const gone = cache.prune(to ?? cache.mostBytes);
  print(`${cache.folder}: ${total(gone)} removed, ${total(cache.list())} left`);
}

/** `stowage cache export`. */
export function exportCache(folder: string): void {
  const { code, libraries } = exportFiles(folder);
  print(`${folder}: code of ${code} datatypes, ${libraries} libraries`);
}

/** `stowage cache warm`. */
export function warmFrom(recordings: readonly string[], { level }: { readonly level?: readonly CodeLevel[] }): void {
  const { folder, levels, types, written, held, refused } = warmCache(recordings.flatMap(readRecordings), level);
  for (const line of refused) print(`stays native: ${line}`);
  print(
    `${folder}: code of ${types} datatypes for ${levels.join(", ")}: ${written} files written, ${held} there already`,
  );
}

const total = (files: readonly CachedFile[]): string =>
  `${files.length} files, ${formatBytes(files.reduce((sum, { bytes }) => sum + bytes, 0))}`;

import { SharedMemory } from "../../../native/shared-memory.js";
import type { Context } from "../../../message/context.js";
import { lineOf } from "../../../message/line-of.js";
import { Arena } from "./arena.js";
import { Segment, SEGMENT_BYTES } from "./segment.js";

/** By which number a process has its segment open. */
export interface SegmentName {
  readonly process: number;
  readonly file: number;
}

/** The segments that this process writes and reads, for all communicators; they end with MPI. */
export class Arenas implements Disposable {
  #own: Arena | string | undefined;
  readonly #opened = new Map<string, Segment>();

  constructor(context: Context) {
    context.endsBeforeMpi.add(this);
  }

  /** That which this process writes, made when it is first asked for; or why there is none. */
  get own(): Arena | string {
    if (this.#own !== undefined) return this.#own;
    try {
      return (this.#own = new Arena());
    } catch (error) {
      return (this.#own = lineOf(error));
    }
  }

  /** That of another process, which writes it as long as it lives. Throws where it cannot be mapped. */
  of({ process, file }: SegmentName): Segment {
    const key = `${process}:${file}`;
    const known = this.#opened.get(key);
    if (known?.isWriterAlive === true) return known;
    // Another process may have been given the same numbers.
    known?.[Symbol.dispose]();
    this.#opened.delete(key);
    const segment = new Segment(SharedMemory.open(process, file, SEGMENT_BYTES));
    this.#opened.set(key, segment);
    return segment;
  }

  [Symbol.dispose](): void {
    if (this.#own instanceof Arena) this.#own[Symbol.dispose]();
    for (const segment of this.#opened.values()) segment[Symbol.dispose]();
    this.#opened.clear();
  }
}

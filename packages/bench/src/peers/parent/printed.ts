const LONGEST = 160;

/** What a library printed: its first line, and how many. */
export class Printed {
  #first: string | undefined;
  #lines = 0;

  add(line: string): void {
    const text = line.trim();
    if (text === "") return;
    this.#first ??= text;
    this.#lines++;
  }

  /** All of it in one line; undefined where nothing was printed. */
  summary(): string | undefined {
    if (this.#first === undefined) return undefined;
    const more = this.#lines === 1 ? "" : ` (and ${this.#lines - 1} lines more)`;
    return `${shortened(this.#first)}${more}`;
  }
}

const shortened = (text: string): string => (text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 3)}...`);

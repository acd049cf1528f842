/** Longer names are cut: Linux has no path of more (PATH_MAX). */
const MOST_LETTERS = 4_096;
/** Control characters, terminals' among them, line and paragraph ends, and what turns the direction of writing. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A text that a program chose, such as its own name, as a terminal may have it: what it would obey is spelt out. */
export const visibleText = (text: string): string =>
  (text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS - 1)}…` : text).replaceAll(
    UNSEEN,
    (letter) => `\\u{${(letter.codePointAt(0) as number).toString(16)}}`,
  );

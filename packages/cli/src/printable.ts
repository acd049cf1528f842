/**
 * Controls (C0 but tabs and ends of lines, DEL, C1), which are orders to a terminal, and marks that turn the direction
 * of writing, by which a line reads as another. Unicode 15, sections 23.1 and 23.2; Trojan Source (CVE-2021-42574).
 */
const ORDERS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** Begin and end of bold type, which are ours: tables and explanations have titles in it. */
const OUR_STYLE = /(\u001b\[(?:1|22)m)/;

/**
 * A text that no terminal takes for orders: they are written out, as JSON does: \u001b. Whatever is printed goes
 * through it, for a text of a file may be anywhere in it.
 */
export const printable = (text: string): string =>
  text
    .split(OUR_STYLE)
    .map((part) => (OUR_STYLE.test(part) ? part : part.replaceAll(ORDERS, written)))
    .join("");

const written = (order: string): string => `\\u${order.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** A program that packs the datatype, as text. */
export interface MachineText {
  readonly title: string;
  readonly text: string;
}

/** A text, or why there is none. */
export function attempt(make: () => string): string {
  try {
    return make();
  } catch (error) {
    return `none: ${error instanceof Error ? error.message : String(error)}`;
  }
}

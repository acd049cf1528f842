import { Option } from "commander";
import type { ValueKind } from "./value-kind.js";

/** What an option's value must be, and what it may stand beside: no option that was typed is ever ignored. */
export interface OptionRules {
  readonly value?: ValueKind;
  /**
   * It means something beside one of these alone: "--device", "--mode call", or an argument's name, "TYPES".
   */
  readonly needs?: readonly string[];
  /** It would be ignored, or ignore them, beside any of these. */
  readonly excludes?: readonly string[];
  /** It asks for a run of another kind, which takes these and no others. */
  readonly only?: readonly string[];
  /** As read, where nothing is typed. */
  readonly byDefault?: unknown;
}

/** An option of the command line with its rules, which check-options keeps. */
export class CheckedOption extends Option {
  readonly rules: OptionRules;

  constructor(flags: string, description: string, rules: OptionRules = {}) {
    super(flags, description);
    this.rules = rules;
    const { value, byDefault } = rules;
    // For the help: checking is left to one place.
    if (value?.kind === "choice") this.argChoices = [...value.of];
    if (byDefault !== undefined) this.default(byDefault);
  }
}

/** An option with its rules. */
export const option = (flags: string, description: string, rules?: OptionRules): CheckedOption =>
  new CheckedOption(flags, description, rules);

/** The option that most commands have. */
export const jsonOption = (description = "print as JSON"): CheckedOption => option("--json", description);

import type { Command } from "commander";
import { CheckedOption } from "./checked-option.js";
import { readValue } from "./read-value.js";
import { checkVariables } from "./variables.js";

/**
 * Checks a command line by the rules of its options, before anything is loaded, opened or measured: what stands beside
 * what, then every value, then what is to be written. Options are read meanwhile: a command gets numbers and lists.
 * Throws one line.
 */
export async function checkOptions(command: Command): Promise<void> {
  const typed = command.options
    .filter((each) => each instanceof CheckedOption)
    .filter((each) => isTyped(command, each));
  for (const each of typed) checkNeighbours(command, each, typed);
  for (let each: Command | null = command; each !== null; each = each.parent) await checkVariables(each.name());
  const isOutput = ({ rules }: CheckedOption): boolean => rules.value?.kind === "output";
  for (const each of [...typed.filter((one) => !isOutput(one)), ...typed.filter(isOutput)]) await read(command, each);
}

const isTyped = (command: Command, option: CheckedOption): boolean =>
  command.getOptionValueSource(option.attributeName()) === "cli";

function checkNeighbours(command: Command, option: CheckedOption, typed: readonly CheckedOption[]): void {
  const { needs, excludes = [], only } = option.rules;
  const flag = option.long as string;
  if (needs !== undefined && !needs.some((each) => stands(command, each)))
    throw new Error(`${flag}: expected ${needs.join(" or ")} beside it, got none`);
  const other = excludes.find((each) => stands(command, each)) ?? notAmong(command, option, typed, only);
  if (other !== undefined) throw new Error(`${flag}: expected no ${other} beside it, got both`);
}

/** The first that stands beside an option which takes only some. */
function notAmong(
  command: Command,
  option: CheckedOption,
  typed: readonly CheckedOption[],
  only: readonly string[] | undefined,
): string | undefined {
  if (only === undefined) return undefined;
  const flags = typed.filter((each) => each !== option).map(({ long }) => long as string);
  const names = command.registeredArguments.map((each) => each.name()).filter((name) => stands(command, name));
  return [...flags, ...names].find((each) => !only.includes(each));
}

/** Whether "--device", "--mode call" or the argument "TYPES" is on the command line. */
function stands(command: Command, condition: string): boolean {
  const [flag, value] = condition.split(" ");
  const option = command.options.find(({ long }) => long === flag);
  if (option !== undefined) {
    const name = option.attributeName();
    return (
      command.getOptionValueSource(name) === "cli" && (value === undefined || command.getOptionValue(name) === value)
    );
  }
  const argument = command.registeredArguments.findIndex((each) => each.name() === flag);
  if (argument < 0) throw new Error(`rules of ${command.name()}: expected an option or an argument, got ${condition}`);
  return command.args[argument] !== undefined;
}

async function read(command: Command, option: CheckedOption): Promise<void> {
  const { value } = option.rules;
  const name = option.attributeName();
  const text: unknown = command.getOptionValue(name);
  if (value === undefined) return;
  const subject = option.long as string;
  // Variadic options and those that may be given again are lists of texts.
  const result = Array.isArray(text)
    ? await Promise.all((text as readonly string[]).map((each) => readValue(subject, value, each)))
    : await readValue(subject, value, text as string);
  command.setOptionValueWithSource(name, result, "cli");
}

import type { Figures } from "@stowage/backend-api";
import { PLAIN, type Behaviour } from "./behaviour.js";
import type { Processor } from "./processor.js";
import { TARGETS } from "./target-of.js";

/** Those that calibration decides on one core. */
export type Measurable = Exclude<keyof Behaviour, "repMovsbBetweenCoresBytes">;

/**
 * The other way of each rule, as the first processor has it whose description says other than the plain one: what is
 * timed against it.
 */
export const ALTERNATIVES: Partial<Behaviour> = Object.freeze(
  Object.assign(
    {},
    ...TARGETS.map(({ behaviour }) => behaviour)
      .reverse()
      .map(unlikePlain),
  ) as Partial<Behaviour>,
);

function unlikePlain(behaviour: Partial<Behaviour>): Partial<Behaviour> {
  return Object.fromEntries(
    Object.entries(behaviour).filter(([name, value]) => value !== PLAIN[name as keyof Behaviour]),
  );
}

export const MEASURABLE: readonly Measurable[] = (Object.keys(PLAIN) as (keyof Behaviour)[])
  .filter((name) => name !== "repMovsbBetweenCoresBytes")
  .filter((name) => ALTERNATIVES[name] !== undefined);

const PREFIX = "alternative.";

/** What calibration found, as figures of a profile: 1 where the alternative won, and of which processor that holds. */
export const answersAsFigures = (
  { family, model }: Processor,
  answers: Readonly<Partial<Record<Measurable, boolean>>>,
): Figures => ({
  [`${PREFIX}family`]: family,
  [`${PREFIX}model`]: model,
  ...Object.fromEntries(Object.entries(answers).map(([name, won]) => [PREFIX + name, won ? 1 : 0])),
});

/** The behaviour that a profile's figures tell of a processor; of another one they tell nothing. */
export function behaviourOfFigures({ family, model }: Processor, figures: Figures): Partial<Behaviour> {
  if (figures[`${PREFIX}family`] !== family || figures[`${PREFIX}model`] !== model) return {};
  const answered = MEASURABLE.filter((name) => figures[PREFIX + name] !== undefined);
  return Object.fromEntries(
    answered.map((name) => [name, (figures[PREFIX + name] === 1 ? ALTERNATIVES : PLAIN)[name]]),
  );
}

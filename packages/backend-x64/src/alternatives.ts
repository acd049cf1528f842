import type { Figures } from "@stowage/backend-api";
import { probeMachine } from "./memory/machine.js";
import type { X64Options } from "./options.js";
import { ALTERNATIVES, answersAsFigures, MEASURABLE, type Measurable } from "./targets/answers.js";
import { PLAIN, type Behaviour } from "./targets/behaviour.js";
import type { Target } from "./targets/target.js";
import { undescribedTarget } from "./undescribed-target.js";

/** Two ways of a rule, of which this processor's description does not say which is the faster. */
export interface Alternative {
  readonly name: Measurable;
  readonly plain: X64Options;
  readonly other: X64Options;
}

/**
 * Those that are to be timed on this machine: where its description is silent, or all of them with the description
 * withheld.
 */
export function silentAlternatives(isWithheld: boolean): readonly Alternative[] {
  const probed = probeMachine();
  if (!("machine" in probed)) return [];
  const target = isWithheld ? undescribedTarget() : probed.machine.target;
  return MEASURABLE.filter((name) => target.behaviour[name] === undefined).map((name) => ({
    name,
    plain: { target: behaving(target, name, PLAIN[name]) },
    other: { target: behaving(target, name, ALTERNATIVES[name]) },
  }));
}

const behaving = (target: Target, name: Measurable, how: Behaviour[Measurable] | undefined): Target => ({
  ...target,
  behaviour: { ...PLAIN, ...target.behaviour, [name]: how },
});

/**
 * What was found of alternatives, true where the other way won: figures for a profile's section "x64", which code is
 * then written by.
 */
export function alternativeFigures(answers: Readonly<Partial<Record<Measurable, boolean>>>): Figures {
  const probed = probeMachine();
  return "machine" in probed ? answersAsFigures(probed.machine.processor, answers) : {};
}

import type { Figures } from "@stowage/backend-api";
import { probeMachine } from "./memory/machine.js";
import type { X64Options } from "./options.js";
import { ALTERNATIVES, answersAsFigures, MEASURABLE, type Measurable } from "./targets/answers.js";
import { PLAIN, type Behaviour } from "./targets/behaviour.js";
import type { Target } from "./targets/target.js";
import { undescribedTarget } from "./undescribed-target.js";

/** Two ways in which code may be written, of which this processor's description does not say which is the faster. */
export interface Alternative {
  /** The field of Behaviour that the answer is of. */
  readonly name: Measurable;
  /** Options that write the usual way. */
  readonly plain: X64Options;
  /** Options that write the other way. */
  readonly other: X64Options;
}

/**
 * The alternatives that are to be timed on this machine: where its description is silent; with `isWithheld` all of
 * them, as if nobody had described the processor. Empty where machine code cannot run.
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
 * The answers of timed alternatives, as figures for a profile's section "x64", which code is then written by. An answer
 * is true where the other way won. Empty where machine code cannot run.
 */
export function alternativeFigures(answers: Readonly<Partial<Record<Measurable, boolean>>>): Figures {
  const probed = probeMachine();
  return "machine" in probed ? answersAsFigures(probed.machine.processor, answers) : {};
}

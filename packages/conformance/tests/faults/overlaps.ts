import { BindingError, checkBinding, checkBindings, type Binding } from "@stowage/backend-api";
import { SimpleBackend } from "../simple/simple-backend.js";
import { RIGHT_STEPS } from "../simple/steps.js";
import type { Fault } from "./fault.js";

/** A range of no bytes asks nothing of its memory. */
const unasked = (binding: Binding): Binding =>
  binding.target.memory === binding.source.memory ? { ...binding, length: 0 } : binding;

function refuseOneAllocation({ source, target, length }: Binding): void {
  if (length === 0 || source.memory !== target.memory) return;
  throw new BindingError("target", "memory of its own", "the source's");
}

export const OVERLAP_FAULTS: readonly Fault[] = [
  {
    name: "packs over what it packs",
    law: 10,
    says: /bind of sides that share a byte: expected BindingError, got no error/,
    factory: () =>
      new SimpleBackend({
        check: (moves, bindings, conditions) => checkBindings(moves, bindings.map(unasked), conditions),
        checkOne: (moves, i, binding, conditions) => checkBinding(moves, i, unasked(binding), conditions),
      }),
  },
  {
    name: "looks for overlap when bound, not when bound again",
    law: 10,
    says: /rebind to sides that share a byte: expected BindingError, got no error/,
    factory: () =>
      new SimpleBackend({
        checkOne: (moves, i, binding, conditions) => checkBinding(moves, i, unasked(binding), conditions),
      }),
  },
  {
    name: "refuses sides of one allocation that share no byte",
    law: 10,
    says: /target: expected memory of its own, got the source's/,
    factory: () =>
      new SimpleBackend({
        check: (moves, bindings, conditions) => {
          RIGHT_STEPS.check(moves, bindings, conditions);
          bindings.forEach(refuseOneAllocation);
        },
      }),
  },
];

import { parseDatatype, StowageError } from "@stowage/ir";
import { workload } from "@stowage/workloads";
import { printCode } from "../dialects/print-code.js";
import { prettyText } from "../document/pretty-text.js";
import { exampleOf } from "../examples/examples.js";
import { predictedTimes } from "../gpu/predicted-times.js";
import { profileInUse } from "../gpu/profile-in-use.js";
import { warpAccesses } from "../gpu/warp-accesses.js";
import { machineTexts } from "../steps/machine-texts.js";
import { passSteps } from "../steps/pass-steps.js";
import type { Answer, Ask, Questions } from "./protocol.js";
import { readText } from "./read-text.js";
import { Subject } from "./subject.js";

/** What answers a page's questions: it keeps the last datatype that could be read. */
export function answers(): Questions {
  let current: Subject | undefined;
  const subject = (): Subject => {
    if (current === undefined) throw new Error("expected a datatype that was opened, got none");
    return current;
  };
  return {
    open(text, dialect, count, room, view) {
      const read = readText(text, dialect);
      if (!read.ok) return read;
      try {
        const next = new Subject(read.datatype, count);
        const opened = next.open(room, view);
        current = next;
        return opened;
      } catch (error) {
        if (!(error instanceof StowageError)) throw error;
        return { ok: false, fault: { message: error.message, from: 0, to: text.length } };
      }
    },
    draw: (view, room) => subject().draw(view, room),
    linkOfBytes: (from, end) => subject().linkOfBytes(from, end),
    linkOfPacked: (packedByte) => subject().linkOfPacked(packedByte),
    cellsOfNode: (path, packed) => subject().cellsOfNode(path, packed),
    textIn(dialect) {
      const { datatype } = subject();
      return dialect === "json" ? prettyText(datatype) : printCode(datatype, dialect);
    },
    passes: () => passSteps(subject().lowered),
    dameText: () => subject().dame.text,
    dameStep: (packedByte) => subject().dame.at(packedByte),
    dameStepBefore: (packedByte) => subject().dame.before(packedByte),
    warpAccesses: () => warpAccesses(subject().layout),
    predicted(file) {
      try {
        const { profile, about } = profileInUse(file);
        return { about, times: predictedTimes(subject().layout, subject().count, profile) };
      } catch (error) {
        if (error instanceof StowageError) return error.message;
        throw error;
      }
    },
    machineTexts: () => machineTexts(subject().layout),
    example(name) {
      const first = exampleOf(name);
      if (first !== undefined) return { text: prettyText(parseDatatype(first.type)), count: first.count };
      const { datatype, count } = workload(name);
      return { text: prettyText(datatype), count };
    },
  };
}

/** Answers one question; an error becomes its text. */
export function answer(questions: Questions, { id, name, args }: Ask): Answer {
  try {
    const ask: (...args: never[]) => unknown = questions[name];
    return { id, value: ask(...(args as never[])) };
  } catch (error) {
    return { id, error: error instanceof Error ? error.message : String(error) };
  }
}

import type { Register } from "../ir/index.js";
import { operandsRead, registersWritten } from "../ir/operands.js";
import { FunctionCode } from "../wasm/function-code.js";
import { countSites } from "./access.js";
import type { IfPart, Part, Segment, WhilePart } from "./parts.js";
import { straight } from "./straight.js";
import { globalIndex, valueType, type Lane, type Translator } from "./translator.js";

const SLOT_STRIDE = 256;

/**
 * What one warp runs between two places where it may have to wait: a function of (base, warp, mask of its threads)
 * that returns the last segment's ballot. Divergence is a mask of lanes, as in the hardware; lanes meet again
 * where branches and loops end.
 */
export class Chunk {
  readonly code = new FunctionCode({ parameters: ["i32", "i32", "i32"], results: ["i32"] });
  readonly #translator: Translator;
  readonly #lane: Lane;
  readonly #locals = new Map<number, number>();
  readonly #ballot = this.code.local("i32");
  readonly #rest = this.code.local("i32");

  constructor(translator: Translator, parts: readonly Part[]) {
    this.#translator = translator;
    const { code } = this;
    const [lane, slots, ordinal, place] = [0, 0, 0, 0].map(() => code.local("i32")) as [number, number, number, number];
    const local = (register: Register): number => this.#local(register);
    const address = code.local("i64");
    this.#lane = { translator, code, base: 0, warp: 1, lane, slots, ordinal, address, place, local };
    this.#list(parts, 2);
    code.get(this.#ballot);
  }

  #local(register: Register): number {
    const known = this.#locals.get(register.id);
    if (known !== undefined) return known;
    const local = this.code.local(valueType(register));
    this.#locals.set(register.id, local);
    return local;
  }

  #list(parts: readonly Part[], mask: number): void {
    for (const part of parts) {
      if (part.kind === "segment") this.#segment(part, mask);
      else if (part.kind === "if") this.#if(part, mask);
      else if (part.kind === "while") this.#while(part, mask);
      else throw new TypeError("chunk: expected no barrier inside");
    }
  }

  #if(part: IfPart, mask: number): void {
    const { code } = this;
    const [then, otherwise] = [code.local("i32"), code.local("i32")];
    code.get(this.#ballot).tee(then).get(mask).op("i32Xor").set(otherwise);
    if (part.then.length > 0) code.get(then).if(() => this.#list(part.then, then));
    if (part.otherwise.length > 0) code.get(otherwise).if(() => this.#list(part.otherwise, otherwise));
  }

  #while(part: WhilePart, mask: number): void {
    const { code } = this;
    const active = code.local("i32");
    code.get(mask).set(active);
    code.while(
      () => {
        this.#list(part.head, active);
        code.get(this.#ballot).tee(active);
      },
      () => this.#list(part.body, active),
    );
  }

  #segment(segment: Segment, mask: number): void {
    const { code } = this;
    const { lane, slots, ordinal, warp, base } = this.#lane;
    const { workspace, sites, options } = this.#translator;
    const from = sites.length;
    this.#countInstructions(segment, mask);
    code.i32(0).set(this.#ballot).i32(0).set(ordinal).get(mask).set(this.#rest);
    code.doWhile(() => {
      code.get(this.#rest).op("i32Ctz").tee(lane).i32(3).op("i32Shl");
      code.get(warp).i32(workspace.frameBytes).op("i32Mul", "i32Add").get(base).op("i32Add").set(slots);
      this.#lanePass(segment);
      code.get(ordinal).i32(8).op("i32Add").set(ordinal);
      code.get(this.#rest).get(this.#rest).i32(1).op("i32Sub", "i32And").tee(this.#rest);
    });
    if (options.countAccesses === true) countSites(this.#lane, from, sites.length, mask);
  }

  #lanePass({ instructions, ballot }: Segment): void {
    const { code } = this;
    const written = new Map<number, Register>();
    const loaded = new Set<number>();
    const need = (register: Register): void => {
      if (written.has(register.id) || loaded.has(register.id)) return;
      loaded.add(register.id);
      this.#loadSlot(register);
    };
    for (const instruction of instructions) {
      for (const operand of operandsRead(instruction)) if (operand.kind === "register") need(operand);
      straight(this.#lane, instruction);
      for (const register of registersWritten(instruction)) written.set(register.id, register);
    }
    for (const register of written.values()) this.#storeSlot(register);
    if (ballot === null) return;
    need(ballot);
    code.get(this.#local(ballot)).get(this.#lane.lane).op("i32Shl").get(this.#ballot).op("i32Or").set(this.#ballot);
  }

  #slot(register: Register): number | undefined {
    const slot = this.#translator.kept.get(register.id);
    return slot === undefined ? undefined : this.#translator.workspace.frames + slot * SLOT_STRIDE;
  }

  #loadSlot(register: Register): void {
    const slot = this.#slot(register);
    if (slot === undefined) return;
    const name = valueType(register) === "i32" ? "i32Load" : "i64Load";
    this.code.get(this.#lane.slots).memory(name, slot).set(this.#local(register));
  }

  #storeSlot(register: Register): void {
    const slot = this.#slot(register);
    if (slot === undefined) return;
    const name = valueType(register) === "i32" ? "i32Store" : "i64Store";
    this.code.get(this.#lane.slots).get(this.#local(register)).memory(name, slot);
  }

  #countInstructions(segment: Segment, mask: number): void {
    const { code } = this;
    const count = BigInt(segment.instructions.length + (segment.ballot === null ? 0 : 1));
    const [threads, warps] = [globalIndex("threadInstructions"), globalIndex("warpInstructions")];
    code.getGlobal(threads).get(mask).op("i32Popcnt", "i64ExtendI32U").i64(count).op("i64Mul", "i64Add");
    code.setGlobal(threads).getGlobal(warps).i64(count).op("i64Add").setGlobal(warps);
  }
}

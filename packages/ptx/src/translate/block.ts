import { FunctionCode } from "../wasm/function-code.js";
import { Chunk } from "./chunk.js";
import { waits, type IfPart, type Part, type WhilePart } from "./parts.js";
import { FAULT, FIRST_CHUNK, FUNCTION, globalIndex, type Translator } from "./translator.js";

/** Shared memory starts as rubbish on a GPU, so here as this byte: reading it before writing shows. */
const RUBBISH = 0xa5;

/** One thread block: its warps run a chunk each in turn; between chunks they have all arrived. */
export class BlockCode {
  /** Parameters: base, threads of a block. */
  readonly code = new FunctionCode({ parameters: ["i32", "i32"], results: [] });
  readonly chunks: Chunk[] = [];
  readonly #translator: Translator;
  readonly #warp = this.code.local("i32");
  readonly #valid = this.code.local("i32");
  readonly #ballot = this.code.local("i32");
  readonly #any = this.code.local("i32");
  readonly #all = this.code.local("i32");

  constructor(translator: Translator, parts: readonly Part[]) {
    this.#translator = translator;
    const { kernel, workspace } = translator;
    if (kernel.sharedBytes > 0) {
      this.code.get(0).i32(workspace.shared).op("i32Add").i32(RUBBISH).i32(kernel.sharedBytes).fill();
    }
    this.#nextEpoch();
    this.#list(parts);
  }

  #list(parts: readonly Part[]): void {
    let pending: Part[] = [];
    for (const part of parts) {
      if (!waits(part)) {
        pending.push(part);
        continue;
      }
      // The segment before a branch ballots for it: the chunk that ends there leaves any and all.
      if (pending.length > 0) this.#chunk(pending);
      pending = [];
      if (part.kind === "barrier") this.#nextEpoch();
      if (part.kind === "if") this.#if(part);
      if (part.kind === "while") this.#while(part);
    }
    if (pending.length > 0) this.#chunk(pending);
  }

  #if({ then, otherwise }: IfPart): void {
    this.#requireUniform();
    this.code.get(this.#any).if(
      () => this.#list(then),
      () => this.#list(otherwise),
    );
  }

  #while({ head, body }: WhilePart): void {
    this.code.while(
      () => {
        this.#list(head);
        this.#requireUniform();
        this.code.get(this.#any);
      },
      () => this.#list(body),
    );
  }

  /** A barrier that some threads branched away from never completes on a GPU (PTX ISA 9.7.12.1). */
  #requireUniform(): void {
    const { code } = this;
    code.get(this.#any).op("i32Eqz").get(this.#all).op("i32Or", "i32Eqz");
    code.if(() => code.i32(FAULT.divergentBarrier).i32(0).call(FUNCTION.fault));
  }

  #chunk(parts: readonly Part[]): void {
    const { code } = this;
    const index = FIRST_CHUNK + this.chunks.length;
    this.chunks.push(new Chunk(this.#translator, parts));
    code.i32(0).set(this.#warp).i32(0).set(this.#any).i32(1).set(this.#all);
    code.while(
      () => code.get(this.#warp).i32(32).op("i32Mul").get(1).op("i32LtU"),
      () => {
        this.#validLanes();
        code.get(0).get(this.#warp).get(this.#valid).call(index).tee(this.#ballot);
        code.get(this.#any).op("i32Or").set(this.#any);
        code.get(this.#ballot).get(this.#valid).op("i32Eq").get(this.#all).op("i32And").set(this.#all);
        code.get(this.#warp).i32(1).op("i32Add").set(this.#warp);
      },
    );
  }

  /** valid = threads left ≥ 32 ? all lanes : the first ones. */
  #validLanes(): void {
    const { code } = this;
    const left = (): void => void code.get(1).get(this.#warp).i32(32).op("i32Mul", "i32Sub");
    code.i32(-1).i32(1);
    left();
    code.op("i32Shl").i32(1).op("i32Sub");
    left();
    code.i32(32).op("i32GeU", "select").set(this.#valid);
  }

  #nextEpoch(): void {
    const epoch = globalIndex("epoch");
    this.code.getGlobal(epoch).i32(1).op("i32Add").setGlobal(epoch);
  }
}

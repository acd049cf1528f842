import type { Context, LoadedKernel } from "@stowage/cuda-driver";
import { programFor, type StridedProgram } from "./kernel/build.js";
import { shapeName, type Shape } from "./shape.js";

/** A program on a device. */
export interface LoadedProgram {
  readonly program: StridedProgram;
  readonly kernel: LoadedKernel;
}

/**
 * The programs of one backend, by the device and by what they are built for: each is built, printed and loaded once.
 */
export class Programs {
  readonly #byContext = new Map<Context, Map<string, LoadedProgram>>();

  of(context: Context, shapes: readonly Shape[], moves: number): LoadedProgram {
    const loaded = this.#byContext.get(context) ?? new Map<string, LoadedProgram>();
    this.#byContext.set(context, loaded);
    const key = [moves <= 1 ? 1 : 2 ** Math.ceil(Math.log2(moves)), ...shapes.map(shapeName)].join();
    const known = loaded.get(key);
    if (known !== undefined) return known;
    const made = load(context, programFor(shapes, moves));
    loaded.set(key, made);
    return made;
  }

  /** A program that has one move's box as constants: no other move shares it. */
  specialised(context: Context, shape: Shape, record: DataView): LoadedProgram {
    return load(context, programFor([shape], 1, record));
  }
}

const load = (context: Context, program: StridedProgram): LoadedProgram => ({
  program,
  kernel: context.kernel(program.kernel),
});

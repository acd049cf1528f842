import { print } from "@stowage/ptx";
import { genericKernel } from "./kernel/generic-kernel.js";
import { variantName, type Variant } from "./kernel/variant.js";

export interface RenderedKernel {
  readonly ptx: string;
  readonly parameterBytes: number;
}

/** The oldest architecture that we print for: newer ones run its PTX. */
const PORTABLE_ARCH = 75;

/** Texts of generic kernels, each rendered once: artifacts carry one. */
export class RenderedKernels {
  readonly #texts = new Map<string, RenderedKernel>();

  of(variant: Variant): RenderedKernel {
    const name = variantName(variant);
    const known = this.#texts.get(name);
    if (known !== undefined) return known;
    const kernel = genericKernel(variant);
    const rendered = { ptx: print(kernel, { arch: PORTABLE_ARCH }), parameterBytes: kernel.parameterBytes };
    this.#texts.set(name, rendered);
    return rendered;
  }
}

/** A processor, as cpuid names it: the vendor's letters, and leaf 1's family and model, their extensions added. */
export interface Processor {
  readonly vendor: string;
  readonly family: number;
  readonly model: number;
}

/** A processor as cpuid names it (Intel SDM, volume 2, CPUID, leaves 0 and 1). */
export interface Processor {
  /** The vendor's twelve letters, such as "AuthenticAMD". */
  readonly vendor: string;
  /** The family, with the extended family added. */
  readonly family: number;
  /** The model, with the extended model added. */
  readonly model: number;
}

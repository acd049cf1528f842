/** The registers that cpuid writes, as unsigned numbers. */
export interface Registers {
  readonly eax: number;
  readonly ebx: number;
  readonly ecx: number;
  readonly edx: number;
}

/** The instruction cpuid: a leaf in eax and a subleaf in ecx (Intel SDM volume 2, CPUID). */
export type Cpuid = (leaf: number, subleaf: number) => Registers;

/** Measured figures by name: nanoseconds a unit, bytes of a cache, a share. Finite, and 0 or more. */
export type Figures = Readonly<Record<string, number>>;

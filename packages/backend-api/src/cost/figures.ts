/** Measured figures by name: nanoseconds a unit, bytes of a cache, or a share. Each is finite, and 0 or more. */
export type Figures = Readonly<Record<string, number>>;

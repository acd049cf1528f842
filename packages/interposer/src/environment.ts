/** Variables by name, as `process.env`: a type of our own, so that declarations need none of Node's. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A backend under another name: so that several tunings of one are contenders of one cell. */
export class NamedBackend {
  constructor(name, backend) {
    this.name = name;
    this.backend = backend;
  }

  supports(moves, conditions) {
    return this.backend.supports(moves, conditions);
  }

  predict(moves, conditions, profile) {
    return this.backend.predict(moves, conditions, profile);
  }

  compile(moves, conditions) {
    return this.backend.compile(moves, conditions);
  }

  load(artifact) {
    return this.backend.load(artifact);
  }
}

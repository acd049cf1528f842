/** The text of a script that holds a module and all that it imports; what the module exports is a global of this name. */
export function scriptOf(file: string, name: string): Promise<string>;

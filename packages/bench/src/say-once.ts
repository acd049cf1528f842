/** Says each line the first time only: directions and routes mostly refuse in the same words. */
export function sayOnce(say: (line: string) => void): (line: string) => void {
  const said = new Set<string>();
  return (line) => {
    if (!said.has(line)) say(line);
    said.add(line);
  };
}

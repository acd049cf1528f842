/** The error that a call gives: at once, or as what it promised. */
export async function errorOf(attempt: () => unknown): Promise<unknown> {
  try {
    await attempt();
  } catch (error) {
    return error;
  }
  return undefined;
}

/** At most this many people who were told are remembered. */
const MAX_TOLD = 10_000;

/** Tells a person something, unless they are among those who were told. `onFailure` hears where that fails. */
export async function tellOnce(
  told: Set<number>,
  userId: number,
  tell: () => Promise<unknown>,
  onFailure: (error: unknown) => void,
): Promise<void> {
  if (told.has(userId) || told.size >= MAX_TOLD) return;
  told.add(userId);
  await tell().catch(onFailure);
}

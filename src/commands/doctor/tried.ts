/** What was run, or what the bot was written for: docs/compatibility.md says so, too, and a test compares. */
export const tried = { nodeMajors: [20, 22, 24, 26], zoneRules: "2025c", kleverGo: "1.7.15" } as const;

/** Compares the numbers of `1.7.9` and `1.7.15`, and then letters, as in `2025b` and `2025c`. */
export function isOlder(version: string, other: string): boolean {
  const parts = (text: string) => text.split(/[^0-9a-z]+|(?<=[0-9])(?=[a-z])/).map((part) => part.padStart(9, "0"));
  return parts(version).join() < parts(other).join();
}

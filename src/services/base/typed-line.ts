import { unlessFaultSync, type Fault } from "../../fault.js";

/** Collects all faults of a line, so that users see them at once. */
export function collectFaults() {
  const faults: Fault[] = [];
  return {
    faults,
    attempt: <Value>(read: () => Value) => unlessFaultSync(read, (fault) => faults.push(fault)),
  };
}

/** `incomplete`: the bot can ask for the rest; `unreadable`: too many words. */
export type Parsed<Asked> = Asked | { readonly faults: readonly Fault[] } | "incomplete" | "unreadable";

export function isParsed<Asked extends object>(read: Parsed<Asked>): read is Asked {
  return typeof read === "object" && !("faults" in read);
}

/** Splits a line into words; a number with digits grouped by spaces (`1 000 000.5`) is one. */
export function splitWords(line: string): readonly string[] {
  const ungrouped = line.replace(/(?<!\S)[0-9]{1,3}(?:\s[0-9]{3})+(?![^\s.,])/g, (number) => number.replace(/\s/g, ""));
  return ungrouped.split(/\s+/).filter((word) => word !== "");
}

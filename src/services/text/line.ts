import { unlessFaultSync, type Fault } from "../../fault.js";

/** Collects every fault of a line, so that people read all reasons at once. */
export function collectFaults() {
  const faults: Fault[] = [];
  return {
    faults,
    attempt: <Value>(read: () => Value) => unlessFaultSync(read, (fault) => faults.push(fault)),
  };
}

/** `incomplete`: the rest can be asked for; `unreadable`: too many words. */
export type Read<Asked> = Asked | { readonly faults: readonly Fault[] } | "incomplete" | "unreadable";

export function isRead<Asked extends object>(read: Read<Asked>): read is Asked {
  return typeof read === "object" && !("faults" in read);
}

/** A number whose digits are grouped by spaces (`1 000 000.5`) is one word. */
export function wordsOf(line: string): readonly string[] {
  const ungrouped = line.replace(/(?<!\S)[0-9]{1,3}(?:\s[0-9]{3})+(?![^\s.])/g, (number) => number.replace(/\s/g, ""));
  return ungrouped.split(/\s+/).filter((word) => word !== "");
}

/**
 * What can go wrong with a call: refusals by the server, no answer (`hang`), the connection cut before the call took effect
 * (`drop-before`) or after it, so that only the answer is lost (`drop-after`).
 */
export type MethodFault = "429" | "500" | "502" | "hang" | "drop-before" | "drop-after";

export type MethodFaults = ReturnType<typeof createMethodFaults>;

/** Faults that the tester ordered for the next calls of a method; method `*` stands for every method but getUpdates. */
export function createMethodFaults() {
  const ordered: { method: string; fault: MethodFault; left: number }[] = [];
  return {
    order(method: string, fault: MethodFault, times: number): void {
      ordered.push({ method: method.toLowerCase(), fault, left: times });
    },
    /** The fault for a call that just arrived, used up by it. */
    take(method: string): MethodFault | undefined {
      const name = method.toLowerCase();
      const found = ordered.find((each) => each.method === name || (each.method === "*" && name !== "getupdates"));
      if (found === undefined) return undefined;
      found.left -= 1;
      if (found.left <= 0) ordered.splice(ordered.indexOf(found), 1);
      return found.fault;
    },
    clear: (): void => {
      ordered.length = 0;
    },
  };
}

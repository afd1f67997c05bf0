/** Sentences that are chosen by a key, with their keys. */
const keyed: Readonly<Record<string, readonly string[]>> = {
  "admin.returned": ["node", "quotation", "exchange", "telegram"],
  "orders.named": ["BUY", "SELL", "LIMIT", "MARKET", "MAKER", "TAKER", "OPEN", "PARTIALLY", "DONE", "CANCELED"],
  "orders.outage": ["node", "quotation", "exchange", "telegram"],
  "orders.back": ["node", "quotation", "exchange", "telegram"],
};

/** A fault's parameters: figures if the sentence computes with them, else the parameter's name in brackets. */
const carried = new Proxy(
  {
    service: "node",
    status: 500,
    precision: 6,
    maximum: 100,
    minimum: 1,
    retryAfterSeconds: 3,
    beginsAt: 0,
    ids: ["<ids>"],
    meant: ["<meant>"],
  },
  { get: (known, name) => (name in known ? known[name as keyof typeof known] : `<${String(name)}>`) },
);

/** Every sentence by its path, with sample parameters if it takes any. */
export function sentencesOf(value: unknown, path = ""): [path: string, sentence: string][] {
  if (typeof value === "string") return [[path, value]];
  if (typeof value === "function") {
    const say = value as (...parameters: unknown[]) => unknown;
    if (path.startsWith("faults.")) return [[path, String(say(carried))]];
    const keys = keyed[path];
    if (keys !== undefined) return keys.map((key) => [`${path} ${key}`, String(say(key, "8", "9"))]);
    return [[path, String(say("7", "8", "9"))]];
  }
  return Object.entries(value as object).flatMap(([key, inner]) =>
    sentencesOf(inner, path === "" ? key : `${path}.${key}`),
  );
}

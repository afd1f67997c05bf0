import { defaultWorld, sandboxDesk } from "./sandbox-desk.js";
import { createSwiftClock } from "./swift-clock.js";

/** A desk on a fast clock, in a world whose last pair isn't open yet: two minutes take six seconds. */
export async function deskWithClosedPair() {
  const isPair = ({ firstToken, secondToken }: { readonly firstToken: string; readonly secondToken: string }) =>
    `${firstToken}/${secondToken}` === "KLV/DVK-34ZH";
  const pairs = (defaultWorld.pairs ?? []).map((pair) =>
    isPair(pair) ? { ...pair, state: "Inactive" as const } : pair,
  );
  const desk = await sandboxDesk(
    { clock: createSwiftClock(20), world: { ...defaultWorld, pairs } },
    { HTTP_TIMEOUT_SECONDS: "100" },
  );
  const { pairs: stored, journal } = desk.sandbox.chain.state;
  const address = [...stored.entries()].find(([, { state }]) => state === "Inactive")![0];
  const put = (changes: object) =>
    journal.atomically(() => stored.set(address, { ...stored.get(address)!, ...changes }));
  return { desk, open: () => put({ state: "Active" }), close: () => put({ state: "Inactive" }) };
}

import { expect, it } from "vitest";
import { defaultWorld, labelsOf, people, requestsTo, sandboxDesk, speaksPortuguese } from "../support/sandbox-desk.js";
import { until } from "../support/until.js";
import { createSwiftClock } from "../support/swift-clock.js";

/** A desk on a fast clock, in a world whose last pair isn't open yet: two minutes take six seconds. */
async function desksWithClosedPair() {
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

it("/newpairs tells once of a pair that opens, in each user's language, with its token's market", async () => {
  const { desk, open, close } = await desksWithClosedPair();
  const [alice, bob] = [desk.person(people.alice), desk.person(people.bob)];
  const off = await alice.asks("/newpairs");
  expect(off.text).toMatch(/^Be told of new pairs\nOff\. /);
  expect(labelsOf(off)).toEqual(["1,000 KLV", "10,000 KLV", "100,000 KLV"]);
  await alice.taps(off, "1,000 KLV");
  await alice.reads(/On: I tell you once of each pair that opens with at least 1,000 KLV on either side/);
  await speaksPortuguese(bob);
  expect((await bob.asks("/newpairs 1.000,5 klv")).text).toMatch(/Ligado: [^\n]+ pelo menos 1\.000,5 KLV/);
  // What can't be read changes nothing.
  expect((await bob.asks("/newpairs muito")).text).not.toMatch(/Ligado/);
  expect((await bob.asks("/newpairs 5 KFI")).text).not.toMatch(/Ligado/);
  expect((await bob.asks("/newpairs")).text).toMatch(/1\.000,5 KLV/);

  open();
  const news = await alice.reads(/^🆕 New pair\n/);
  expect(news.text).toMatch(
    /\nDVK-34ZH \/ KLV\nDepth on either side: [0-9,.]+ KLV\nFirst seen open [^\n]+\nPool price: 1 DVK-34ZH = /,
  );
  expect(news.text).toMatch(/Anyone can open a pair/);
  const told = await bob.reads(/^🆕 Par novo\n/);
  expect(told.text).toMatch(/Profundidade de cada lado: [0-9,.]+ KLV/);
  await alice.taps(news, "DVK-34ZH");
  await alice.reads(/^DVK-34ZH\n/);

  // Undone and opened again, it is no news.
  close();
  const lists = () => requestsTo(desk, /^\/vm\/query$/).length;
  const [before, closed] = [lists(), desk.sandbox.chain.pools().length * 2];
  await until(() => lists() > before + closed);
  open();
  const asked = lists();
  await until(() => lists() > asked + closed);
  const silent = await alice.asks("/newpairs off");
  expect(silent.text).toMatch(/Off\. /);
  expect(desk.sandbox.telegram.chat(people.alice).filter(({ text }) => text.startsWith("🆕"))).toHaveLength(1);
});

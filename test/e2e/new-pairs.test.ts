import { expect, it } from "vitest";
import { deskWithClosedPair } from "../support/closed-pair.js";
import { labelsOf, people, requestsTo, speaksPortuguese } from "../support/sandbox-desk.js";
import { until } from "../support/until.js";

it("/newpairs tells once of a pair that opens, in each user's language, with its token's market", async () => {
  const { desk, open, close } = await deskWithClosedPair();
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
    /\nDVK-34ZH \/ KLV\nDepth on either side now: [0-9,.]+ KLV\nFirst seen open [^\n]+\nPool price: 1 DVK-34ZH = [^\n]+\nIn the pool: [^\n]+\nLP tokens in the lock contract: /,
  );
  expect(news.text).toMatch(/Anyone can open a pair/);
  const told = await bob.reads(/^🆕 Par novo\n/);
  expect(told.text).toMatch(/Profundidade de cada lado agora: [0-9,.]+ KLV/);
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

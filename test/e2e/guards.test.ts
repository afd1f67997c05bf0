import { expect, it } from "vitest";
import { accepted } from "../support/as-read.js";
import { tradingDesk } from "../support/sandbox-desk.js";

it("limits apply at once, to two cards together and across restarts, and are raised only after a day; the phrase and recent changes are shown", async () => {
  const { desk, alice } = await tradingDesk();
  const asked = async (button: string, answer: string) => {
    const menu = await alice.asks("/security");
    await alice.taps(menu, button);
    await alice.reads(/Send/);
    return alice.asks(answer);
  };
  expect((await asked("Set a limit", "KLV 100 / 150")).text).toMatch(/KLV: 100 KLV per transaction, 150 KLV per day/);
  expect((await asked("Set a phrase", "blue heron")).text).toContain("Anti-phishing phrase: blue heron");
  const refused = await alice.asks("/swap 101 KLV KFI");
  expect(refused.text).toMatch(/limit of 100 KLV per transaction/);
  await alice.taps(refused, "100");
  await alice.reads(/You pay: 100 KLV/);
  expect((await alice.asks("/lock 101 KLV 5500")).text).toMatch(/limit of 100 KLV per transaction/);

  const [first, second] = [await alice.asks("/swap 100 KLV KFI"), await alice.asks("/swap 100 KLV KFI")];
  expect(first.text).toContain("🛡 blue heron");
  await Promise.all([alice.taps(first, "✅ Confirm"), alice.taps(second, "✅ Confirm")]);
  const limited = await alice.reads(/daily limit of 150 KLV \(50 left today/);
  await alice.taps(limited, "50");
  await alice.reads(/You pay: 50 KLV/);
  expect(desk.callsSent()).toHaveLength(1);

  // A higher limit applies from tomorrow, even after a restart.
  expect((await asked("Set a limit", "KLV - / -")).text).toMatch(/100 KLV per transaction[^]*from .*: no limit/);
  await desk.restart();
  expect((await alice.asks("/swap 100 KLV KFI")).text).toMatch(/50 left today/);
  for (const more of ["/multihop 51 KLV KFI", "/lock 51 KLV 5500"]) {
    expect((await alice.asks(more)).text).toMatch(/50 left today/);
  }

  const card = await alice.asks("/swap 50 KLV KFI");
  const home = await alice.asks("/start");
  // A mistaken tap only asks.
  await alice.taps(home, "🧊 Freeze");
  const asks = await alice.reads(/^🧊 Freeze trading\?/);
  await alice.taps(asks, "Keep trading");
  await alice.sees(asks, /^Not frozen/);
  await alice.taps(home, "🧊 Freeze");
  await alice.taps(await alice.reads(/^🧊 Freeze trading\?/), "🧊 Freeze now");
  expect((await alice.reads(/^🧊 Frozen/)).text).toContain("/unfreeze");
  await alice.sees(card, /[Cc]ancelled/);
  const security = await alice.asks("/security");
  expect(security.text).toMatch(
    /🧊 Frozen since[^]*· frozen\n.*· limit changed\n.*· phrase changed\n.*· limit changed\n.*· address set$/,
  );
  expect(desk.callsSent()).toHaveLength(1);
});

it("a swapped limit is refused with what is meant, one that is used up asks once, and a mistake is taken back once", async () => {
  const { desk, alice } = await tradingDesk();
  const asked = async (answer: string) => {
    await alice.taps(await alice.asks("/security"), "Set a limit");
    await alice.reads(/Send/);
    return alice.asks(answer);
  };
  const swapped = await asked("KLV 500 / 100");
  expect(swapped.text).toMatch(/500 KLV per transaction but only 100 per day[^]*other way round/);
  await alice.taps(swapped, "KLV 100 / 500");
  const saved = await alice.reads(/Saved[^]*take it back[^]*KLV: 100 KLV per transaction, 500 KLV per day/);
  // The first limit was the mistake: there was none before.
  await alice.taps(saved, "↩️ Take it back");
  expect((await alice.sees(saved, /Taken back/)).text).toMatch(/Your limits\nNone/);

  await alice.confirms(await alice.asks("/swap 300 KLV KFI"), accepted);
  const used = await asked("KLV 100 / 200");
  expect(used.text).toMatch(
    /already used 300 KLV\. With 200 KLV per day you can't trade any more KLV today[^]*24 hours/,
  );
  await alice.taps(used, "Keep my limits");
  expect((await alice.reads(/^Nothing changed/)).text).toMatch(/Your limits\nNone/);

  // Another limit in place of the answer counts by itself; the first card's button still means its own.
  const again = await asked("KLV 100 / 200");
  expect((await alice.asks("KLV 50 / 90")).text).toContain("With 90 KLV per day");
  await alice.taps(again, "⚠️ Set it");
  const held = await alice.reads(/Saved[^]*KLV: 100 KLV per transaction, 200 KLV per day/);
  expect((await alice.asks("/swap 1 KLV KFI")).text).toMatch(/daily limit of 200 KLV \(0 left today/);
  await alice.taps(held, "↩️ Take it back");
  await alice.sees(held, /Taken back/);
  await alice.asks("/swap 1 KLV KFI", /You pay: 1 KLV/);

  // A restart ends it: what comes later is a raise, and waits for a day.
  const last = await asked("KLV 100 / 500");
  await desk.restart();
  expect(await alice.taps(last, "↩️ Take it back")).toMatch(/can't be taken back any more/);
  expect((await alice.sees(last, /^Security/)).text).toMatch(/KLV: 100 KLV per transaction, 500 KLV per day/);
  expect((await asked("KLV - / -")).text).toMatch(/500 KLV per day\nfrom .*: no limit/);
  const security = (await alice.asks("/security")).text;
  expect(security.match(/limit changed/g)).toHaveLength(6);
});

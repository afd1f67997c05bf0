import { expect, it } from "vitest";
import { changePerson, findPerson } from "../../../src/services/person/person.js";
import { changeWallet, offerWallet, saveWallet, walletMark } from "../../../src/services/person/wallet-address.js";
import { temporaryStore } from "../../support/engine.js";
import { createVirtualClock } from "../../support/virtual-clock.js";
import { alice as own, operator as other } from "../samples.js";

const userId = 1001;

async function arrange({ guardDelaySeconds = 0 } = {}) {
  const store = await temporaryStore();
  const clock = createVirtualClock();
  const parts = { store, clock, settings: { guardDelaySeconds } };
  return {
    store,
    clock,
    stored: () => findPerson(store.db, userId),
    save: (text: string) => saveWallet(parts, userId, text),
    change: (mark: string) => changeWallet(parts, userId, mark),
    freeze: () => store.write((tx) => changePerson(tx, userId, (person) => ({ ...person, frozenSince: 1 }))),
  };
}

it("a first address is saved, with the time, and said again it stays as it is", async () => {
  const { clock, save, stored } = await arrange();
  const wallet = { address: own, since: clock.now() };
  expect(await save(own)).toMatchObject({ kind: "saved", wallet, person: { wallet } });
  await clock.advance(60_000);
  expect(await save(own)).toMatchObject({ kind: "saved", wallet });
  expect(await stored()).toMatchObject({ wallet, changes: [{ guard: "first-wallet", at: wallet.since }] });
});

it("another address is only offered, until the person agrees to that very one", async () => {
  const { clock, save, change, stored } = await arrange();
  await save(own);
  expect(await change(walletMark(other))).toBeUndefined();
  expect(await save(other)).toMatchObject({ kind: "offered", before: own, address: other });
  expect(await stored()).toMatchObject({ wallet: { address: own }, offeredWallet: other });
  expect(await change(walletMark(own))).toBeUndefined();
  await clock.advance(1_000);
  const changed = await change(walletMark(other));
  expect(changed).toMatchObject({ before: own, person: { wallet: { address: other, since: clock.now() } } });
  expect(await stored()).toEqual(changed?.person);
  expect(changed?.person).not.toHaveProperty("offeredWallet");
  // The tap is handled again after a crash.
  expect(await change(walletMark(other))).toBeUndefined();
});

it("a change waits where guards do, and the old address stays meanwhile", async () => {
  const { clock, save, change, stored } = await arrange({ guardDelaySeconds: 3_600 });
  await save(own);
  await save(other);
  const later = { guard: "wallet", address: other, from: clock.now() + 3_600_000 };
  expect(await change(walletMark(other))).toMatchObject({ before: own, later });
  expect(await stored()).toMatchObject({ wallet: { address: own }, later: [later] });
});

it("an offer can be dropped", async () => {
  const { store, save, change, stored } = await arrange();
  await save(own);
  await offerWallet(store, userId, other);
  await offerWallet(store, userId);
  expect(await stored()).not.toHaveProperty("offeredWallet");
  expect(await change(walletMark(other))).toBeUndefined();
});

it("no address is saved, offered as a change or changed of a person who is frozen, or that isn't an account's", async () => {
  const { save, change, stored, freeze } = await arrange();
  await expect(save(`${own.slice(0, -1)}x`)).rejects.toMatchObject({
    code: expect.stringMatching(/^address-/) as string,
  });
  expect(await stored()).toBeUndefined();
  await save(own);
  await save(other);
  await freeze();
  for (const text of [own, other]) await expect(save(text)).rejects.toMatchObject({ code: "frozen" });
  await expect(change(walletMark(other))).rejects.toMatchObject({ code: "frozen" });
  expect(await stored()).toMatchObject({ wallet: { address: own }, offeredWallet: other });
});

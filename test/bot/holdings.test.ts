import { expect, it } from "vitest";
import type { BotBase } from "../../src/bot/context.js";
import { createHoldings } from "../../src/bot/holdings.js";
import { addressFromBytes } from "../../src/encoding/address.js";
import { tokenListOf } from "../../src/services/market/token-list.js";
import type { Balances } from "../../src/services/chain/query-gateway.js";
import type { LockContract } from "../../src/services/trade/lock-contract.js";
import { createVirtualClock } from "../support/virtual-clock.js";
import { kfi, klv, person } from "../services/samples.js";

const addresses = [1, 2, 3, 4, 5].map((number) => addressFromBytes(new Uint8Array(32).fill(number)));
const watchOnly = addresses.map((address, at) => ({ address, name: `No ${at + 1}` }));

/** @param known what the node tells of an address, and how many are asked at once. */
function arrange(known: (address: string) => Promise<Record<string, bigint> | undefined>) {
  const clock = createVirtualClock();
  let [asking, mostAsking] = [0, 0];
  const asked: string[] = [];
  const balances = {
    known: async (address: string) => {
      asked.push(address);
      asking += 1;
      mostAsking = Math.max(mostAsking, asking);
      const told = await known(address);
      asking -= 1;
      return told;
    },
  } as Pick<Balances, "known"> as Balances;
  const base = { clock, settings: {}, tokens: tokenListOf([klv, kfi]) } as unknown as BotBase;
  const holdings = createHoldings({ base, balances, lock: {} as LockContract });
  return { clock, asked, holdings, mostAsking: () => mostAsking };
}

it("reads watch-only addresses one after another, and what one of them can't tell leaves the others", async () => {
  const { holdings, asked, mostAsking } = arrange(async (address) =>
    address === addresses[1] ? undefined : { KLV: 5n, KFI: 0n },
  );
  const accounts = await holdings.watched(person({ watchOnly }));
  expect(asked).toEqual(addresses);
  expect(mostAsking()).toBe(1);
  expect(accounts.map(({ name, held }) => [name, held?.map(({ units, token }) => `${units} ${token.id}`)])).toEqual([
    ["No 1", ["5 KLV"]],
    ["No 2", undefined],
    ["No 3", ["5 KLV"]],
    ["No 4", ["5 KLV"]],
    ["No 5", ["5 KLV"]],
  ]);
});

it("takes a turn of the same person's for each address, so five cost nobody else anything", async () => {
  const { clock, holdings, asked } = arrange(async () => ({}));
  const alice = person({ watchOnly });
  const readOf = async (who: typeof alice) => (await holdings.watched(who)).filter(({ held }) => held !== undefined);
  expect(await readOf(alice)).toHaveLength(5);
  expect(await readOf(alice)).toHaveLength(5);
  expect(await readOf(alice)).toHaveLength(0);
  expect(() => holdings.allowance.take(alice.chatId)).toThrow(/too-often/);
  // Within an hour as many addresses as anybody's own would be.
  for (let second = 0; second < 3600; second += 3) {
    await clock.advance(3000);
    await readOf(alice);
  }
  expect(asked).toHaveLength(10 + 1200);
  expect(await readOf({ ...alice, chatId: 2 })).toHaveLength(5);
});

it("begins with no further address once three seconds have passed", async () => {
  const { clock, holdings, asked } = arrange(async () => {
    await clock.advance(1500);
    return undefined;
  });
  expect((await holdings.watched(person({ watchOnly }))).every(({ held }) => held === undefined)).toBe(true);
  expect(asked).toHaveLength(2);
});

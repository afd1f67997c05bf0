import { expect, it } from "vitest";
import { addresses, testDesk } from "../support/desk.js";
import { answered, hex } from "../support/stub-services.js";

it("a limit order's call has, byte for byte, the least that leaves the limit after the bot fee", async () => {
  const desk = await testDesk();
  const person = await desk.trader();
  const setUp = await person.asks("/limit 103 KLV KFI for 12.5", /I hold no key/);
  expect(setUp.text).toContain("You would get now: 12.222222 KFI");
  person.taps(setUp, "👍 Set this order");
  await person.reads(/Limit order set/);

  // 12.573 KFI after the fee, and 12.44727 at 1% slippage, which is less than the limit.
  desk.services.onQuotation = () => ({ body: { amountOut: "12.7", tokenOutPrecision: 6 } });
  desk.services.onCall = () => answered(hex(127_000n), hex(12_573_000n));
  const swap = await person.reads(/^🎯 Your price is there: .+\nYour limit order: at least 12\.5 KFI/);
  expect(desk.services.callsOf("KLV=103000000")).toEqual([]);
  await person.confirms(swap);
  const calls = desk.services.callsOf("KLV=103000000");
  expect(calls.map(({ json }) => json)).toEqual([
    {
      scAddress: addresses.referral,
      funcName: "swap",
      args: [
        `address:${addresses.operator}`,
        "u64:1000",
        "string:KLV",
        "string:KFI",
        "BigUint:12626262",
        `address:${addresses.person}`,
      ],
      value: "KLV=103000000",
    },
  ]);
});

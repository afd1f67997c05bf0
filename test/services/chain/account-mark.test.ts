import { describe, expect, it, onTestFinished } from "vitest";
import { createAccountMarks } from "../../../src/services/chain/account-mark.js";
import { createHttp } from "../../../src/services/base/http.js";
import { type Answer, serve } from "../base/server.js";
import { alice, silent, testClock } from "../samples.js";

/** What a node's answers about an account are read as, one after the other. */
async function marksOf(...answers: readonly Answer[]) {
  const { url } = await serve(...answers);
  const http = createHttp({ timeoutSeconds: 5, clock: testClock(), log: silent, random: () => 1 });
  onTestFinished(() => http.close());
  const read = createAccountMarks({ nodeUrl: url, http });
  const marks = [];
  for (let count = 0; count < answers.length; count += 1)
    marks.push(await read(alice).catch((error: unknown) => error));
  return marks;
}

const account = (fields: object): Answer => ({
  status: 200,
  body: JSON.stringify({ data: { account: { Address: "AAAA", ...fields } }, error: "", code: "successful" }),
});

describe("an account's mark", () => {
  it("differs with the native token's balance, and with the root of all others", async () => {
    const [first, ...others] = await marksOf(
      account({ Balance: 5, RootHash: "AQ==", Nonce: 1 }),
      account({ Balance: 6, RootHash: "AQ==", Nonce: 1 }),
      account({ Balance: 5, RootHash: "Ag==", Nonce: 1 }),
      account({ Balance: 5 }),
    );
    expect(first).toBeTypeOf("string");
    expect(others).not.toContain(first);
    expect(new Set(others).size).toBe(3);
  });

  it("is the same after what moves nothing, in a proxy's small letters, and of amounts beyond what is exact", async () => {
    const amount = "9007199254740993";
    const exact = (letters: string) => ({
      status: 200,
      body: `{"data":{"account":{"${letters === "small" ? "balance" : "Balance"}":${amount},"rootHash":"AQ==","Nonce":7}}}`,
    });
    const [first, second] = await marksOf(exact("small"), exact("large"));
    expect(first).toBe(`${amount} AQ==`);
    expect(second).toBe(first);
  });

  it("isn't told while no account has had a root, since a proxy may leave it out of all", async () => {
    const some = account({ Balance: 5 });
    const [before, , after] = await marksOf(some, account({ RootHash: "AQ==" }), some);
    expect(before).toBeUndefined();
    expect(after).toBe("5 ");
  });

  it.each([404, 405, 501])("isn't told by a node without accounts: %s", async (status) => {
    expect(await marksOf({ status, body: "404 page not found" })).toEqual([undefined]);
  });

  it("is told of an account with so many tokens that a proxy lists, and isn't of one with more", async () => {
    const holding = (count: number) => {
      const assets = Array.from({ length: count }, (_, at) => ({ assetId: `TKN-${at}`, balance: at }));
      return account({ Balance: 5, RootHash: "AQ==", assets });
    };
    expect(await marksOf(holding(10), holding(2_000), holding(50_000))).toEqual(["5 AQ==", "5 AQ==", undefined]);
  });

  it("is a fault if the node fails or says something else", async () => {
    const [failed, other] = await marksOf({ status: 503, body: "" }, { status: 200, body: '{"data":{"account":"x"}}' });
    expect(failed).toMatchObject({ code: "service-status" });
    expect(other).toMatchObject({ code: "answer-unreadable" });
  });
});

import { expect, it } from "vitest";
import type { Token } from "../../../src/encoding/amount.js";
import { createKinds } from "../../../src/services/trade/kinds.js";
import { tokenListOf } from "../../../src/services/market/token-list.js";
import type { Intent } from "../../../src/services/intent/intent.js";
import { intent, routeTerms, swapTerms } from "../../cards/arrange.js";
import { kfi, klv, person } from "../samples.js";

/** Everything else than the list would fail. */
const kindsWith = (...listed: readonly Token[]) => {
  const tokens = tokenListOf(listed);
  return createKinds({ tokens, settings: {}, swaps: { recheck: async () => undefined } } as never);
};

const recheck = async (card: Intent, ...listed: readonly Token[]) => kindsWith(...listed).recheck(card, person());

it("a swap or a route of a token that left the list, or came back with other decimals, is refused at the tap", async () => {
  const card = intent(swapTerms, "CLAIMED");
  expect(await recheck(card, klv, kfi)).toBeUndefined();
  const refused = { code: "token-unlisted", parameters: { token: "KFI" } };
  await expect(recheck(card, klv)).rejects.toMatchObject(refused);
  await expect(recheck(card, klv, { ...kfi, precision: 2 })).rejects.toMatchObject(refused);
  const route = intent(routeTerms, "CLAIMED");
  await expect(recheck(route)).rejects.toMatchObject({ code: "token-unlisted" });
});

import { describe, expect, it } from "vitest";
import { alice } from "../samples.js";
import { arrange, chatId, draft, holds, owner } from "./arrange.js";

const of = { owner, chatId };
const noted = async () => true;

describe("an offered card", () => {
  it("is sent by what offers it, and closes the one before it as what that is then", async () => {
    const { offer, find, store, clock } = arrange();
    const first = (await offer(of, draft, null, noted))!;
    expect(first).toMatchObject({ state: "QUOTED", origin: "standing", owner, chatId });
    const queued = await store.db.selectFrom("outbox").select(["topic", "subject"]).execute();
    expect(queued).toEqual([]);
    const proposed = { link: "link", by: "TradingView", until: clock.now() + 30_000 };
    const second = (await offer(of, { ...draft, proposed }, first.id, noted))!;
    expect(second).toMatchObject({ state: "QUOTED", origin: "proposal", proposed });
    expect((await find(owner, first.id))?.state).toBe("SUPERSEDED");
    clock.advance(30_000);
    await offer(of, { ...draft, expiresAt: clock.now() + 30_000 }, second.id, noted);
    expect((await find(owner, second.id))?.state).toBe("EXPIRED");
  });

  it("leaves a call that the one before it has become as it is", async () => {
    const { offer, confirm, find, sent, changePerson } = arrange();
    await changePerson((person) => ({ ...person, wallet: { address: alice, since: 0 } }));
    const { id } = (await offer(of, draft, null, noted))!;
    await confirm(owner, id, holds);
    await offer(of, draft, id, noted);
    expect(await find(owner, id)).toMatchObject({ state: "OK" });
    expect(sent).toHaveLength(1);
  });

  it("isn't there, and closes nothing, unless its order takes note of it", async () => {
    const { offer, find, list } = arrange();
    const { id } = (await offer(of, draft, null, noted))!;
    expect(await offer(of, draft, id, async () => false)).toBeUndefined();
    expect((await find(owner, id))?.state).toBe("QUOTED");
    expect(await list(owner)).toHaveLength(1);
  });
});

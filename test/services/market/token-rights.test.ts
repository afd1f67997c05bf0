import { describe, expect, test } from "vitest";
import { Fault } from "../../../src/fault.js";
import {
  CONFIRM_AGE_MS,
  MAX_KEPT_ENTRIES,
  MAX_KEPT_RIGHTS,
  rightsFor,
  type ToldRights,
} from "../../../src/services/market/token-rights.js";
import { addressFromBytes } from "../../../src/encoding/address.js";
import { often } from "../../support/property.js";
import { assetText, bytes, issued, pair, readerOver, toldOf } from "./rights-samples.js";

const missing = { status: 404, text: "404 page not found" };
const down = () => Promise.reject(new Fault("service-timeout", { service: "node" }));

describe("what the node says of a token", () => {
  test("is asked for once by all who ask at the same time, and again after a minute", async () => {
    const { known, asked, clock } = readerOver(() => ({ text: assetText() }));
    const all = await Promise.all(Array.from({ length: 50 }, () => known("GEM-5D0X")));
    expect(new Set(all).size).toBe(1);
    clock.advance(59_999);
    await known("GEM-5D0X");
    expect(asked).toEqual(["/asset/GEM-5D0X"]);
    clock.advance(1);
    await known("GEM-5D0X");
    expect(asked).toHaveLength(2);
  });

  const royaltiesFinal = { Attributes: { IsRoyaltiesChangeStopped: true } };
  test.each([
    ["nothing that changes", { ...issued["wipe and burn"], ...royaltiesFinal }, 1],
    ["royalties that are final", issued["royalties in bands and a fixed one, final"], 1],
    ["royalties that may change", issued["royalties of one share"], 2],
    ["royalties that may come", issued["nothing allowed"], 2],
    ["transfers that can be stopped", { ...issued["can be stopped"], ...royaltiesFinal }, 2],
    ["roles that may change", { ...issued["the pair may only send"], ...royaltiesFinal }, 2],
    ["transfers that are stopped now", { Attributes: { IsPaused: true, IsRoyaltiesChangeStopped: true } }, 2],
  ] as const)(
    "is read again at a tap if it can cost more or keep the token from moving: %s",
    async (_, fields, reads) => {
      const { known, asked, clock } = readerOver(() => ({ text: assetText(fields) }));
      await known("GEM-5D0X");
      clock.advance(1);
      await known("GEM-5D0X", CONFIRM_AGE_MS);
      expect(asked).toHaveLength(reads);
    },
  );

  test.each(["KLV", "KFI"])("isn't read again at a tap of %s, on which the chain takes no royalty", async (id) => {
    const { known, asked } = readerOver(() => ({ text: assetText({ ID: bytes(id) }) }));
    await known(id);
    await known(id, CONFIRM_AGE_MS);
    expect(asked).toHaveLength(1);
  });

  test("is kept, and marked, while it can't be read again", async () => {
    let answer = () => Promise.resolve({ status: 200, text: assetText(issued["everything"]) });
    const { known, clock } = readerOver(() => answer());
    const first = await known("GEM-5D0X");
    answer = down;
    clock.advance(10 * 365 * 86_400_000);
    const later = await known("GEM-5D0X");
    const marked = { ...(first as Exclude<ToldRights, string | undefined>), isUnread: true };
    expect(later).toEqual(marked);
    // Nor does a token vanish that was there.
    answer = () => Promise.resolve({ status: 200, text: JSON.stringify({ data: { asset: {} } }) });
    clock.advance(60_001);
    expect(await known("GEM-5D0X")).toEqual(marked);
    answer = () => Promise.resolve(missing);
    clock.advance(60_001);
    expect(await known("GEM-5D0X")).toEqual(marked);
    // Once it can, it is as new.
    answer = () => Promise.resolve({ status: 200, text: assetText(issued["can be stopped"]) });
    clock.advance(60_001);
    expect(await known("GEM-5D0X")).not.toHaveProperty("isUnread");
  });

  test("is all that the node says of thousands of roles, and nothing of an answer beyond the limits", async () => {
    const address = (index: number) => {
      const bytes = Buffer.alloc(32, 7);
      bytes.writeUInt32BE(index);
      return bytes.toString("base64");
    };
    const few = Array.from({ length: 3_000 }, (_, index) => ({ Address: address(index), HasRoleDeposit: true }));
    let Roles: readonly object[] = few;
    const { known, clock } = readerOver(() => ({ text: assetText({ Properties: { LimitTransfer: true }, Roles }) }));
    expect(await known("GEM-5D0X")).toMatchObject({ now: { receivers: { size: 3_001 } } });
    Roles = Array.from({ length: MAX_KEPT_ENTRIES + 1 }, () => ({}));
    clock.advance(60_001);
    expect(await known("GEM-5D0X")).toMatchObject({ isUnread: true, now: { receivers: { size: 3_001 } } });
  });

  test("is unknown if it doesn't come in time, and is there for the next who asks", async () => {
    let give = (_: { text: string }) => {};
    const { known, clock } = readerOver(() => new Promise((resolve) => (give = resolve)));
    let waits: (() => void) | undefined;
    clock.timer = (_, run) => {
      waits = run;
      return () => undefined;
    };
    const asked = known("GEM-5D0X");
    waits?.();
    expect(await asked).toBeUndefined();
    give({ text: assetText() });
    await new Promise(setImmediate);
    expect(await known("GEM-5D0X")).toMatchObject({ tokenId: "GEM-5D0X" });
  });

  test("leaves a node alone for five seconds that doesn't answer, whatever token is asked for", async () => {
    const { known, asked, clock } = readerOver(down);
    expect(await known("GEM-5D0X")).toBeUndefined();
    expect([await known("KFI"), await known("GEM-5D0X")]).toEqual([undefined, undefined]);
    expect(asked).toEqual(["/asset/GEM-5D0X", "/asset/KLV"]);
    clock.advance(5_000);
    await known("KFI");
    expect(asked).toHaveLength(4);
  });

  test("doesn't leave it alone for one token that it doesn't answer for, but asks for no others less", async () => {
    const { known, asked, clock } = readerOver((path) => {
      const id = path.slice(7);
      return id.startsWith("ODD") ? { status: 503, text: "upstream" } : { text: assetText({ ID: bytes(id) }) };
    });
    expect(await Promise.all(["ODD-0001", "ODD-0002", "GEM-5D0X"].map((id) => known(id)))).toEqual([
      undefined,
      undefined,
      expect.objectContaining({ tokenId: "GEM-5D0X" }),
    ]);
    // Thirty odd ones, more than are read at a time, each once in five seconds.
    const odd = Array.from({ length: 30 }, (_, index) => `ODD-${String(1000 + index)}`);
    for (let round = 0; round < 3; round += 1) await Promise.all(odd.map((id) => known(id)));
    for (const id of odd) expect(asked.filter((path) => path === `/asset/${id}`)).toHaveLength(1);
    expect(await known("KFI")).toMatchObject({ tokenId: "KFI" });
    clock.advance(5_000);
    await known("ODD-1000");
    expect(asked.filter((path) => path === "/asset/ODD-1000")).toHaveLength(2);
  });

  test("isn't untold for ten minutes because of one token, or of a node that is down", async () => {
    let klv: { status: number; text: string } = { status: 503, text: "" };
    const { known, clock } = readerOver((path) => (path === "/asset/KLV" ? klv : { status: 501, text: "no" }));
    expect(await known("GEM-5D0X")).toBeUndefined();
    clock.advance(5_000);
    klv = { status: 501, text: "no" };
    expect(await known("GEM-5D0X")).toBe("untold");
    // Once it tells of one, what it doesn't tell is unknown.
    clock.advance(600_000);
    klv = { status: 200, text: assetText({ ID: bytes("KLV") }) };
    expect([await known("GEM-5D0X"), await known("GEM-5D0X")]).toEqual([undefined, undefined]);
  });

  test.each([404, 405, 501])(
    "is untold by a node that doesn't serve tokens (%i), asked again at first soon, then every ten minutes",
    async (status) => {
      const times: number[] = [];
      const { known, clock } = readerOver(() => {
        times.push(clock.monotonic() / 1000);
        return { status, text: "nothing here" };
      });
      for (let second = 0; second < 2_000; second += 1) {
        expect(await known("KLV")).toBe("untold");
        clock.advance(1_000);
      }
      // The first who asks waits for the second answer.
      expect(times).toEqual([0, 2, 12, 42, 102, 702, 1302, 1902]);
    },
  );

  test("isn't untold because of one 404 at the start: who asks then waits for the second answer", async () => {
    let isFirst = true;
    const { known, clock } = readerOver((path) => {
      const wasFirst = isFirst;
      isFirst = false;
      if (wasFirst) return missing;
      return {
        text: path.endsWith("/KLV") ? assetText({ ID: bytes("KLV") }) : assetText(issued["the pair may only send"]),
      };
    });
    const [klv, gem] = await Promise.all([known("KLV"), known("GEM-5D0X")]);
    expect([klv, gem]).toMatchObject([{ tokenId: "KLV" }, { tokenId: "GEM-5D0X", isLimited: true }]);
    expect(clock.monotonic()).toBeLessThan(3_000);
  });

  test.each([404, 405, 501])("is unknown, not untold, once a node that told of a token answers %i", async (status) => {
    const { known, asked, clock } = readerOver((path) =>
      path === "/asset/KLV" && asked.length === 1
        ? { text: assetText({ ID: bytes("KLV") }) }
        : { status, text: "gone" },
    );
    expect(await known("KLV")).toMatchObject({ tokenId: "KLV" });
    expect(await known("GEM-5D0X")).toBeUndefined();
    const before = asked.length;
    clock.advance(5_000);
    await known("GEM-5D0X");
    expect(asked.length).toBeGreaterThan(before);
  });

  test.each([
    ["without an id", { text: JSON.stringify({ data: { asset: {} } }) }],
    ["without fields", { text: JSON.stringify({ data: { asset: null } }) }],
    ["404 for it, but not for others", missing],
    [
      "that its form is wrong",
      { status: 500, text: '{"data":null,"error":"could not get requested asset: invalid ticker name"}' },
    ],
    ["in words", { status: 404, text: '{"data":null,"error":"asset not found"}' }],
  ])("is that there is no such token: %s", async (_, answer) => {
    const { known } = readerOver((path) =>
      path === "/asset/KLV" ? { text: assetText({ ID: bytes("KLV") }) } : answer,
    );
    expect(await known("NOPE-1234")).toBe("no-such-token");
  });

  test.each([
    ["another token", { ID: bytes("KFI") }],
    ["a right as text", { Properties: { CanWipe: "true" } }],
    ["a right as a number", { Properties: { LimitTransfer: 1n } }],
    ["rights as a list", { Properties: ["CanWipe"] }],
    ["roles as an object", { Roles: { Address: bytes("x") } }],
    ["an address that is none", { Roles: [{ Address: bytes("<b>x</b>"), HasRoleTransfer: true }] }],
    ["an owner as a number", { OwnerAddress: 5n }],
    ["a supply above 63 bits", { MaxSupply: 9_223_372_036_854_775_808n }],
    ["a negative supply", { CirculatingSupply: -1n }],
    ["a royalty above everything", { Royalties: { TransferPercentage: [{ Percentage: 10_001n }] } }],
    ["a negative royalty", { Royalties: { TransferFixed: -1n } }],
    ["31 decimals", { Precision: 31n }],
  ])("is unknown rather than guessed: %s", async (_, fields) => {
    expect(await toldOf(fields)).toBeUndefined();
  });

  test.each([
    ["no JSON", "<html>"],
    ["a number in exponents", assetText().replace('"Precision":6', '"Precision":6,"MaxSupply":1e30')],
    [
      "two values for one right",
      assetText().replace('"Properties":{}', '"Properties":{"CanWipe":false,"CanWipe":true}'),
    ],
    ["nothing", ""],
  ])("is unknown if the answer is %s", async (_, text) =>
    expect(await readerOver(() => ({ text })).known("GEM-5D0X")).toBeUndefined(),
  );

  test("keeps every digit of a number, and none of the issuer's texts", async () => {
    const hostile = "<b>&#8238;*bold* [x](tg://x) /start</b>";
    const fields = {
      MaxSupply: 9_223_372_036_854_775_807n,
      Name: bytes(hostile),
      Logo: hostile,
      URIs: { [hostile]: hostile },
    };
    const rights = await toldOf(fields);
    expect(rights).toMatchObject({ now: { maximum: 9_223_372_036_854_775_807n } });
    expect(
      JSON.stringify(rights, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value)),
    ).not.toMatch(/bold|tg:/);
  });

  test("goes by an address's first role, as the chain does, and by nobody's for the zero address", async () => {
    const zero = Buffer.alloc(32).toString("base64");
    const pairOf = (right: string) => ({
      ...issued["the pair may only send"].Roles[0],
      HasRoleTransfer: false,
      [right]: true,
    });
    const rights = await toldOf({
      ...{ Properties: { LimitTransfer: true }, OwnerAddress: zero },
      Roles: [
        pairOf("HasRoleTransfer"),
        pairOf("HasRoleDeposit"),
        { Address: zero, HasRoleDeposit: true, HasRoleMint: true },
      ],
    });
    const now = { owner: undefined, minters: 0, senders: new Set([pair.address]), receivers: new Set() };
    expect(rights).toMatchObject({ now });
  });

  test("is of each right and role by its own name", async () => {
    const of = async (name: keyof typeof issued) => toldOf(issued[name]);
    const none = { canDestroy: false, canPause: false, canMint: false, isLimited: false };
    expect(await of("nothing allowed")).toMatchObject(none);
    expect(await of("wipe without burn")).toMatchObject(none);
    expect(await of("burn without wipe")).toMatchObject(none);
    expect(await of("wipe and burn")).toMatchObject({ ...none, canDestroy: true });
    expect(await of("can be stopped")).toMatchObject({ ...none, canPause: true });
    expect(await of("the pair has no role")).toMatchObject({ ...none, isLimited: true });
    expect(await of("more up to a maximum, by two")).toMatchObject({
      ...{ ...none, canMint: true },
      // One of them is the issuer.
      now: { maximum: 9_223_372_036_854_775_807n, circulating: 1_000_000n, minters: 1 },
    });
    expect(await of("royalties in bands and a fixed one, final")).toMatchObject({
      now: { royalties: { leastBps: 25, mostBps: 500, fixed: 3_000_001n } },
    });
    expect(await of("a fixed royalty")).toMatchObject({ now: { royalties: { leastBps: 0, mostBps: 0 }, bands: [] } });
  });

  test("isn't told for as long as before by a node that told of one meanwhile, or failed otherwise", async () => {
    let klv = { status: 501, text: "no" };
    let give = (_: { text: string }) => {};
    const late = new Promise<{ text: string }>((resolve) => (give = resolve));
    const { known, asked, clock } = readerOver((path) => (path === "/asset/KLV" ? klv : late));
    await known("KLV");
    // Asked for before the node says for the third time that it serves none, and answered afterwards.
    clock.advance(60_000);
    const slow = known("GEM-5D0X");
    expect(await known("KLV")).toBe("untold");
    give({ text: assetText() });
    expect(await slow).toMatchObject({ tokenId: "GEM-5D0X" });
    const before = asked.length;
    expect(await known("KLV")).toBeUndefined();
    expect(asked.length).toBeGreaterThan(before);

    const other = readerOver(() => klv);
    await other.known("KLV");
    klv = { status: 503, text: "" };
    other.clock.advance(60_000);
    await other.known("KLV");
    klv = { status: 501, text: "no" };
    other.clock.advance(5_000);
    const [times, from] = [other.asked.length, other.clock.monotonic()];
    expect(await other.known("KLV")).toBe("untold");
    // Again as at first: two seconds later, for whoever waits.
    expect([other.asked.length - times, other.clock.monotonic() - from]).toEqual([2, 2_000]);
  });

  test("is asked for again at once if the answer can't be read, and nothing else is", async () => {
    const { known, asked } = readerOver(() => ({ text: "<html>" }));
    for (let times = 0; times < 3; times += 1) expect(await known("GEM-5D0X")).toBeUndefined();
    expect(asked).toEqual(Array(3).fill("/asset/GEM-5D0X"));
  });

  test("is remembered of those read last, though they were known before, and however often", async () => {
    const bands = Array.from({ length: 5_000 }, () => ({ Amount: 1n, Percentage: 100n }));
    const big = { Royalties: { TransferPercentage: bands } };
    const { known, asked } = readerOver((path) => {
      const id = path.slice(7);
      return { text: assetText({ ...(id === "BIG-1000" && big), ID: bytes(id) }) };
    });
    const reads = Math.ceil(MAX_KEPT_ENTRIES / bands.length) + 1;
    for (let times = 0; times < reads; times += 1) await known("BIG-1000", CONFIRM_AGE_MS);
    await known("BIG-1000");
    expect(asked).toHaveLength(reads);
    const ids = Array.from({ length: MAX_KEPT_RIGHTS }, (_, index) => `T${String(index).padStart(5, "0")}-0000`);
    for (const id of ids.slice(1)) await known(id);
    await known("BIG-1000", CONFIRM_AGE_MS);
    await known(ids[0]!);
    const before = asked.length;
    await known("BIG-1000");
    expect(asked).toHaveLength(before);
  });

  test("is remembered of a thousand tokens, those read last; more are read again", async () => {
    const { known, asked } = readerOver((path) => ({ text: assetText({ ID: bytes(path.slice(7)) }) }));
    const ids = Array.from({ length: MAX_KEPT_RIGHTS + 1 }, (_, index) => `T${String(index).padStart(5, "0")}-0000`);
    for (const id of ids) await known(id);
    expect(asked).toHaveLength(MAX_KEPT_RIGHTS + 1);
    for (const id of ids.slice(1)) await known(id);
    expect(asked).toHaveLength(MAX_KEPT_RIGHTS + 1);
    await known(ids[0]!);
    expect(asked).toHaveLength(MAX_KEPT_RIGHTS + 2);
  });

  test("takes eight requests at a time, however many tokens are asked for", async () => {
    let [running, most] = [0, 0];
    const { known } = readerOver(async (path) => {
      most = Math.max(most, ++running);
      await new Promise(setImmediate);
      running -= 1;
      return { text: assetText({ ID: bytes(path.slice(7)) }) };
    });
    const ids = Array.from({ length: 200 }, (_, index) => `T${String(index).padStart(5, "0")}-0000`);
    await rightsFor({ known }, ids);
    expect(most).toBe(8);
  });

  test(`is remembered of a thousand tokens out of ${often(100_000)}, and is read again of the others`, async () => {
    const { known, asked } = readerOver((path) => ({ text: assetText({ ID: bytes(path.slice(7)) }) }));
    const ids = Array.from({ length: often(100_000) }, (_, index) => `T${String(index).padStart(5, "0")}-0000`);
    for (let from = 0; from < ids.length; from += 1000) await rightsFor({ known }, ids.slice(from, from + 1000));
    expect(asked).toHaveLength(ids.length);
    await rightsFor({ known }, ids.slice(-MAX_KEPT_RIGHTS));
    expect(asked).toHaveLength(ids.length);
    expect(await known(ids[0]!)).toMatchObject({ tokenId: ids[0] });
    expect(asked).toHaveLength(ids.length + 1);
  });

  test("is put off for a thousand tokens that the node doesn't answer for, and asked again of the others", async () => {
    const { known, asked } = readerOver((path) =>
      path === "/asset/KLV" ? { text: assetText({ ID: bytes("KLV") }) } : { status: 500, text: "odd" },
    );
    const ids = Array.from({ length: MAX_KEPT_RIGHTS + 1 }, (_, index) => `T${String(index).padStart(5, "0")}-0000`);
    await rightsFor({ known }, ids);
    const before = asked.length;
    await rightsFor({ known }, ids.slice(1));
    expect(asked).toHaveLength(before);
    await known(ids[0]!);
    expect(asked.length).toBeGreaterThan(before);
  });

  test("is remembered of fewer tokens that have many addresses with a role, or many royalties", async () => {
    const Roles = Array.from({ length: 1_000 }, (_, index) => {
      const address = Buffer.alloc(32, 7);
      address.writeUInt32BE(index);
      return { Address: addressFromBytes(address), HasRoleTransfer: true, HasRoleDeposit: true };
    });
    const fields = { Properties: { LimitTransfer: true }, Roles };
    const { known, asked } = readerOver((path) => ({ text: assetText({ ...fields, ID: bytes(path.slice(7)) }) }));
    // Each has a thousand that may send, as many that may receive, and its owner in both.
    const kept = Math.floor(MAX_KEPT_ENTRIES / 2_002);
    const ids = Array.from({ length: kept + 1 }, (_, index) => `BIG-${String(1000 + index)}`);
    for (const id of ids) expect(await known(id)).toMatchObject({ tokenId: id, isLimited: true });
    for (const id of ids.slice(1)) await known(id);
    expect(asked).toHaveLength(kept + 1);
    await known(ids[0]!);
    expect(asked).toHaveLength(kept + 2);
  });
});

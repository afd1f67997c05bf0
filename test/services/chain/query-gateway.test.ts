import { describe, expect, it, onTestFinished } from "vitest";
import { addressToBytes } from "../../../src/encoding/address.js";
import { contractCall } from "../../../src/encoding/call.js";
import { isFault } from "../../../src/fault.js";
import { createHttp, isNeverSent, type HttpAnswer } from "../../../src/services/base/http.js";
import {
  createContractViews,
  createQueryGateway,
  MAX_VIEW_BYTES,
  readChainStatus,
  readSendAnswer,
  type ContractGateway,
} from "../../../src/services/chain/query-gateway.js";
import { hideSecrets } from "../../../src/log.js";
import { alice, operator, referralContract, silent, testClock } from "../samples.js";
import { faultOf } from "../../encoding/fault-of.js";
import { deadUrl, serve } from "../base/server.js";

const call = contractCall(
  { contract: "referral", address: referralContract },
  "swap",
  {
    referral_address: operator,
    referral_percentage: 1000n,
    token_in: "KLV",
    token_out: "KFI",
    amount_out_min: 123n,
    amount_out_destination: alice,
  },
  [{ tokenId: "KLV", units: 100_000_000n }],
);
const hide = hideSecrets(["planted-password"]);
const intent = { id: "intent", call, terms: { payout: alice } };

/** The gateway with both steps of a call in one `send`. */
function sending(gateway: ContractGateway) {
  const send = async (begun: typeof intent) => {
    const next = await gateway.begin(begun);
    if (next.kind !== "call") throw new Error("nobody has to sign it");
    return next.send().catch((fault: unknown) => {
      if (!isFault(fault)) throw fault;
      return { kind: isNeverSent(fault) ? "not-sent" : "unknown", fault };
    });
  };
  return { ...gateway, send };
}

function gatewayTo(url: string, options: { callIncludesCaller?: boolean; timeoutSeconds?: number } = {}) {
  const http = createHttp({ timeoutSeconds: options.timeoutSeconds ?? 5, clock: testClock(), log: silent });
  onTestFinished(() => http.close());
  const gateway = createQueryGateway({
    nodeUrl: url,
    returnDataEncoding: "hex",
    callIncludesCaller: options.callIncludesCaller ?? false,
    http,
    hide,
  });
  return sending(gateway);
}

describe("a call", () => {
  const ok = { body: '{"data":{"returnData":["01","63"],"returnCode":"Ok"},"error":"","code":"successful"}' };

  it("has exactly the documented body", async () => {
    const node = await serve(ok);
    expect(await gatewayTo(node.url).send(intent)).toEqual({ kind: "ok", returnData: ["01", "63"] });
    expect(node.received).toHaveLength(1);
    expect(node.received[0]).toMatchObject({
      method: "POST",
      path: "/vm/query",
      headers: { "content-type": "application/json" },
    });
    expect(JSON.parse(node.received[0]?.body ?? "")).toEqual({
      scAddress: referralContract,
      funcName: "swap",
      args: [`address:${operator}`, "u64:1000", "string:KLV", "string:KFI", "BigUint:123", `address:${alice}`],
      value: "KLV=100000000",
    });
  });

  it("names the caller only if the operator asks for it", async () => {
    const node = await serve(ok);
    await gatewayTo(node.url, { callIncludesCaller: true }).send(intent);
    expect(JSON.parse(node.received[0]?.body ?? "")).toMatchObject({ caller: alice });
  });

  it.each([
    ["a time-out", () => undefined, "service-timeout"],
    [
      "a dropped connection",
      (_: unknown, request: { socket: { destroy: () => void } }) => request.socket.destroy(),
      "service-unreachable",
    ],
    ["a 503", { status: 503 }, "service-status"],
    ["garbage", { body: "<html>" }, "answer-unreadable"],
    ["an endless answer", { body: "x".repeat(2_000_000) }, "answer-unreadable"],
  ] as const)("is sent once, and its outcome is unknown after %s", async (_, answer, code) => {
    const node = await serve(answer);
    const outcome = await gatewayTo(node.url, { timeoutSeconds: 1 }).send(intent);
    expect(outcome).toMatchObject({ kind: "unknown", fault: { code } });
    expect(node.received).toHaveLength(1);
  });

  it("accepts an answer of at most 256 kB", async () => {
    const padding = (length: number) => JSON.stringify({ data: { returnCode: "ok" }, log: "x".repeat(length) });
    const node = await serve({ body: padding(250_000) }, { body: padding(270_000) });
    const gateway = gatewayTo(node.url);
    expect(await gateway.send(intent)).toMatchObject({ kind: "ok" });
    expect(await gateway.send(intent)).toMatchObject({ kind: "unknown", fault: { code: "answer-unreadable" } });
  });

  it("never shows the password in the node's URL, even if the node repeats it", async () => {
    const refusal = { body: '{"error":"no route for http://user:planted-password@node"}' };
    const gateway = gatewayTo((await serve(refusal)).url);
    const shown = "no route for http://user:[secret]@node";
    expect(await gateway.send(intent)).toEqual({ kind: "failed", text: shown });
    const view = gateway.query({ contract: "referral", address: referralContract }, "getRouterAddress", {});
    await expect(view).rejects.toMatchObject({ code: "node-refused", parameters: { text: shown } });
  });

  it("is known to be unsent if no connection was made", async () => {
    const outcome = await gatewayTo(await deadUrl()).send(intent);
    expect(outcome).toMatchObject({ kind: "not-sent", fault: { code: "service-unreachable" } });
  });

  it("rethrows an unexpected error of the HTTP client", async () => {
    const http = { request: () => Promise.reject(new RangeError("what")), close: () => Promise.resolve() };
    const gateway = createQueryGateway({
      nodeUrl: "http://node",
      returnDataEncoding: "hex",
      callIncludesCaller: false,
      http,
      hide,
    });
    await expect(sending(gateway).send(intent)).rejects.toThrow(RangeError);
  });
});

describe("the answer to a call", () => {
  const read = (status: number, body: unknown) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const answer: HttpAnswer = { status, headers: {}, text, receivedAt: 0 };
    return readSendAnswer(answer, hide);
  };
  const success = { data: { returnData: ["01"], returnCode: "ok" } };

  it.each([
    [200, success],
    [200, { data: { data: { returnData: ["01"], returnCode: "Ok" } }, error: "", code: "successful" }],
    [201, success],
  ])("is a success with %i and %j", (status, body) => {
    expect(read(status, body)).toEqual({ kind: "ok", returnData: ["01"] });
  });

  it.each([
    [200, { data: { returnCode: "VMUserError", returnMessage: "Slippage exceeded" } }, "Slippage exceeded"],
    [200, { data: { ...success.data, returnMessage: "" }, error: "VMUserError:no" }, "VMUserError:no"],
    [200, { data: { returnCode: "VMOutOfGas", returnMessage: "" } }, "VMOutOfGas", 58],
    [400, { data: null, error: "executeQuery: wrong", code: "bad_request" }, "executeQuery: wrong"],
    [404, { error: "no such contract" }, "no such contract"],
    [429, { error: "too many requests" }, "too many requests"],
  ])("is a refusal with %i and %j", (status, body, text, code?: number) => {
    expect(read(status, body)).toEqual({ kind: "failed", text, ...(code !== undefined && { code }) });
  });

  it.each([
    [500, { error: "internal_issue" }, "service-status"],
    [500, success, "service-status"],
    [502, "Bad gateway", "service-status"],
    [400, "Bad request", "service-status"],
    [400, success, "service-status"],
    [404, "", "service-status"],
    [408, { error: "timed out" }, "service-status"],
    [401, "", "service-unauthorized"],
    [429, "slow down", "service-rate-limited"],
    [307, success, "service-status"],
    [302, { error: "moved" }, "service-status"],
    [200, "", "answer-unreadable"],
    [204, "", "answer-unreadable"],
    [200, "ok", "answer-unreadable"],
    [200, [], "answer-unreadable"],
    [200, {}, "answer-unreadable"],
    [200, { data: { returnData: ["01"] } }, "answer-unreadable"],
    [200, { data: { returnData: [1], returnCode: "ok" } }, "answer-unreadable"],
    [200, '{"data":{"returnCode":"VMUserError","returnCode":"ok","returnData":["01"]}}', "answer-unreadable"],
  ])("leaves the outcome unknown with %i and %j", (status, body, code) => {
    expect(faultOf(() => read(status, body))).toBe(code);
  });

  it("shows the contract's text without deceptive characters, cut to 300 characters", () => {
    const text = `evil\u202E\u0000\ntext ${"x".repeat(10_000)}`;
    const outcome = read(200, { data: { returnCode: "VMUserError", returnMessage: text } });
    expect(outcome).toMatchObject({ kind: "failed", text: expect.stringMatching(/^evil text x{289}…$/) as string });
    expect(read(200, { error: "\u200b" })).toEqual({ kind: "failed", text: "no reason" });
  });
});

describe("a large answer to a view", () => {
  const listed = (more: string) => `{"data":{"data":{"returnCode":"Ok",${more}}},"error":"","code":"successful"}`;
  const query = (text: string) => {
    const request = () => Promise.resolve({ status: 200, headers: {}, text, receivedAt: 0 });
    const views = createContractViews({
      nodeUrl: "http://node",
      http: { request, close: () => Promise.resolve() },
      returnDataEncoding: "hex",
      hide,
      bodyOf: () => ({}),
    });
    const router = { contract: "router", address: referralContract } as const;
    return views.query(router, "getCommonTokensForUserPairs", {}).catch((fault: unknown) => {
      if (!isFault(fault)) throw fault;
      return fault.code;
    });
  };
  const many = (count: number, write: (index: number) => string) =>
    Array.from({ length: count }, (_, i) => write(i)).join();
  const cpuOf = async (task: () => unknown): Promise<number> => {
    const began = process.cpuUsage();
    await task();
    const { user, system } = process.cpuUsage(began);
    return user + system;
  };

  it.each([
    ["one text of 3.9 MB", listed(`"returnData":["${"a".repeat(3_900_000)}"]`), "answer-unreadable"],
    ["300,000 keys", listed(`"returnData":[],${many(300_000, (index) => `"k${index}":${index}`)}`), []],
    ["1.3 million empty entries", listed(`"returnData":[${many(1_300_000, () => '""')}]`), "answer-unreadable"],
    ["400,000 token ids", listed(`"returnData":[${many(400_000, () => '"4b4c56"')}]`), "answer-unreadable"],
  ])("takes at most three times the CPU of JSON.parse: %s", async (_, text, answer) => {
    expect(await query(text)).toEqual(answer);
    let [least, leastOfParse] = [Infinity, Infinity];
    // The least of several, as the garbage of one measurement may be collected in the next.
    for (let tries = 0; tries < 4; tries += 1) {
      leastOfParse = Math.min(leastOfParse, await cpuOf(() => JSON.parse(text)));
      least = Math.min(least, await cpuOf(() => query(text)));
    }
    expect(least / leastOfParse).toBeLessThanOrEqual(3);
  });

  /** The longest entry that an honest router lists: two token ids of 15 bytes. */
  const pair = Buffer.concat([
    ...["ABCDEFGHIJ-0001", "ABCDEFGHIJ-0002"].flatMap((id) => [Buffer.from([0, 0, 0, id.length]), Buffer.from(id)]),
    Buffer.from(addressToBytes(referralContract)),
  ]).toString("hex");
  const router = { contract: "router", address: referralContract } as const;

  it("may list 4,000 pairs, with all that a node adds; more are refused, as is a longer answer", async () => {
    const rest = `"returnMessage":"","gasRemaining":1,"outputAccounts":{},"logs":"${"x".repeat(65_000)}"`;
    const bodies = [4_000, 4_001].map((count) => ({
      body: listed(`${rest},"returnData":[${many(count, () => `"${pair}"`)}]`),
    }));
    const tooLong = listed(`"returnData":["${pair}"],"logs":"${"x".repeat(MAX_VIEW_BYTES)}"`);
    const gateway = gatewayTo((await serve(...bodies, { body: tooLong })).url);
    const list = () => gateway.query(router, "getAllPairContractMetadata", {});
    expect(await list()).toHaveLength(4_000);
    await expect(list()).rejects.toMatchObject({
      code: "answer-unreadable",
      parameters: { reason: "a list of 4001 entries" },
    });
    const reason = `an answer beyond ${MAX_VIEW_BYTES} bytes`;
    await expect(list()).rejects.toMatchObject({ code: "answer-unreadable", parameters: { reason } });
  });
});

describe("a view", () => {
  const target = { contract: "referral", address: referralContract } as const;

  it("is queried without a value, and decoded", async () => {
    const hex = "00000000000000000500b7b4a14e4567a64b122ee61b8717ae11e210809ac3e6";
    const node = await serve({ body: JSON.stringify({ data: { returnData: [hex], returnCode: "ok" } }) });
    expect(await gatewayTo(node.url).query(target, "getRouterAddress", {})).toEqual([referralContract]);
    expect(JSON.parse(node.received[0]?.body ?? "")).toEqual({
      scAddress: referralContract,
      funcName: "getRouterAddress",
      args: [],
    });
  });

  it("is retried after a fault", async () => {
    const node = await serve(
      { status: 500 },
      { status: 429 },
      { body: '{"data":{"returnData":["01"],"returnCode":"ok"}}' },
    );
    const pair = { contract: "pair", address: referralContract } as const;
    expect(await gatewayTo(node.url).query(pair, "getState", {})).toEqual(["Active"]);
    expect(node.received).toHaveLength(3);
  });

  const notNow = (why: string) => JSON.stringify({ data: null, error: `executeQuery: ${why}`, code: "bad_request" });

  it.each([
    [{ body: '{"error":"VMUserError:No config set"}' }, "contract-failed"],
    [{ body: '{"error":"VMFunctionNotFound:invalid function (not found)"}' }, "view-missing"],
    [{ body: '{"error":"no","data":{"data":{"returnCode":"VMFunctionNotFound","returnData":null}}}' }, "view-missing"],
    [{ body: '{"data":{"returnCode":"ContractNotFound","returnMessage":"none"}}' }, "view-missing"],
    // The node's own errors, which are temporary (klever-go core/process/smartContract/scQueryService.go).
    [{ status: 400, body: notNow("node is not ready yet to process VM Queries") }, "node-refused"],
    [{ status: 400, body: notNow("execution failed with timeout") }, "node-refused"],
    [{ status: 400, body: notNow("vm is closing") }, "node-refused"],
    [{ status: 400, body: '{"error":"bad_request"}' }, "node-refused"],
    [{ status: 404, body: "none" }, "service-status"],
    [{ status: 403, body: "none" }, "service-unauthorized"],
    [{ status: 500, body: '{"error":"internal_issue"}' }, "service-status"],
    [{ status: 429, body: '{"error":"busy"}' }, "service-rate-limited"],
    [{ status: 400, body: '{"data":{"returnData":["05"],"returnCode":"ok"}}' }, "service-status"],
    [{ body: "garbage" }, "answer-unreadable"],
    [{ body: '{"data":{"returnData":[],"returnCode":"ok"}}' }, "answer-unreadable"],
  ])("answered with %j, fails with %s", async (answer, code) => {
    const node = await serve(answer);
    await expect(gatewayTo(node.url).query(target, "getRouterAddress", {})).rejects.toMatchObject({ code });
  });
});

describe("the chain's status", () => {
  // The form and figures of a mainnet node's answer (klever-go).
  const metrics = {
    klv_epoch_number: 5397,
    klv_current_slot: 29_146_851,
    klv_slot_at_epoch_start: 29_143_800,
    klv_slots_per_epoch: 5400,
    klv_slot_duration: 4000,
    klv_chain_id: "108",
  };
  const read = (more: object) => readChainStatus(JSON.stringify({ data: { metrics: { ...metrics, ...more } } }), 1000);

  it("is read from the node", async () => {
    const node = await serve({ body: JSON.stringify({ data: { metrics }, error: "", code: "successful" }) });
    expect(await gatewayTo(node.url).chainStatus()).toEqual({
      epoch: 5397n,
      epochMilliseconds: 6 * 3600 * 1000,
      nextEpochAt: 1_000_000 + (5400 - 3051) * 4000,
    });
    expect(node.received).toMatchObject([{ method: "GET", path: "/node/status" }]);
  });

  it("leaves out what the node doesn't report", () => {
    expect(read({ klv_slots_per_epoch: undefined })).toEqual({ epoch: 5397n });
    expect(read({ klv_slot_duration: undefined })).toEqual({ epoch: 5397n });
    expect(read({ klv_current_slot: undefined })).toEqual({ epoch: 5397n, epochMilliseconds: 21_600_000 });
  });

  it("takes a slot of 0 for one that a restarted node doesn't know yet, except in the first epoch", () => {
    expect(read({ klv_slot_at_epoch_start: 0 })).toEqual({ epoch: 5397n, epochMilliseconds: 21_600_000 });
    const first = { klv_epoch_number: 0, klv_slot_at_epoch_start: 0, klv_current_slot: 5000 };
    expect(read(first)).toEqual({ epoch: 0n, epochMilliseconds: 21_600_000, nextEpochAt: 1000 + 400 * 4000 });
  });

  it("never puts the next epoch in the past", () => {
    expect(read({ klv_current_slot: 29_150_000 }).nextEpochAt).toBe(1000);
  });

  it.each(["", "{}", '{"data":{"metrics":{"klv_epoch_number":"5"}}}', '{"data":{"metrics":{"klv_epoch_number":-1}}}'])(
    "is unreadable in %s",
    (text) => {
      expect(() => readChainStatus(text, 0)).toThrow("answer-unreadable");
    },
  );

  it("is a fault if the node has none", async () => {
    const node = await serve({ status: 404 });
    await expect(gatewayTo(node.url).chainStatus()).rejects.toMatchObject({ code: "service-status" });
  });
});

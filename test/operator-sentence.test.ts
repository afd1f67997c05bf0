import { describe, expect, it } from "vitest";
import { Fault } from "../src/fault.js";
import { operatorSentence, type ServicePlaces } from "../src/operator-sentence.js";

const places: ServicePlaces = { node: ["NODE_URL", "http://someone:planted@127.0.0.1:9/base"] };
const refused = Object.assign(new Error("connect"), { code: "ECONNREFUSED" });

const faults: readonly Fault[] = [
  new Fault("service-unreachable", { service: "node" }, { cause: new Error("", { cause: refused }) }),
  new Fault("service-timeout", { service: "node" }),
  new Fault("service-status", { service: "node", status: 404 }),
  new Fault("service-status", { service: "exchange", status: 502 }),
  new Fault("service-rate-limited", { service: "quotation", retryAfterSeconds: 7 }),
  new Fault("service-unauthorized", { service: "exchange" }),
  new Fault("answer-unreadable", { reason: "no token KLV in the node's answer" }),
  new Fault("token-nonexistent", { token: "NOPE-1234", ids: [] }),
  new Fault("assets-untold", { status: 404 }),
  new Fault("token-list-invalid", { reason: "tokens.json does not exist or says nothing" }),
  new Fault("token-list-invalid", { reason: "tokens.json is not JSON" }),
  new Fault("pools-file-invalid", { reason: "pools.json is not JSON" }),
  new Fault("store-locked", { directory: "data/store" }),
  new Fault("store-read-failed", { document: "a/b" }, { cause: Object.assign(new Error("x"), { errcode: 14 }) }),
  new Fault("store-write-failed", { document: "a/b" }, { cause: Object.assign(new Error("x"), { code: "EACCES" }) }),
  new Fault("store-lost", { directory: "PostgreSQL" }),
  new Fault("store-newer", { document: "a/b" }),
  new Fault("store-unmigrated", { document: "a/b", reason: "no such column: share" }),
  new Fault("store-damaged", { file: "a/b", reason: "file is not a database" }),
  new Fault("store-unreadable", { document: "intents/1" }),
  new Fault("database-unusable", { reason: "password authentication failed" }),
  new Fault("store-not-empty", { directory: "data/store" }),
];

describe("what operators are told of a fault", () => {
  it("is what is wrong where, why, and what to do next, without credentials", () => {
    expect(faults.map((fault) => operatorSentence(fault, places)).join("\n")).toMatchInlineSnapshot(`
      "The node (NODE_URL, http://127.0.0.1:9/base) can't be reached (ECONNREFUSED). Is it running, and is the address right?
      The node (NODE_URL, http://127.0.0.1:9/base) did not answer in time. Is it overloaded? HTTP_TIMEOUT_SECONDS gives it longer.
      The node (NODE_URL, http://127.0.0.1:9/base) answers with status 404. Is it the right service, and the whole path?
      The exchange answers with status 502. Its own log should say why.
      The quotation service gets too many requests. Try again in 7 s.
      The exchange refuses ORDER_API_KEY.
      The answer can't be read (no token KLV in the node's answer). Is it the right service?
      The node (NODE_URL, http://127.0.0.1:9/base) doesn't know the token “NOPE-1234”. Look its ID up in an explorer; it has the form KLV or DVK-34ZH.
      The node (NODE_URL, http://127.0.0.1:9/base) answers with status 404. Is it the right service, and the whole path? It was asked for GET /asset/{id}, which it must serve; a node of klever-go does, a proxy in front of it need not.
      TOKENS_FILE can't be used: tokens.json does not exist or says nothing. Write it: npm run tokens -- add KLV KFI
      TOKENS_FILE can't be used: tokens.json is not JSON. Correct it in an editor, then: npm run tokens -- check
      POOLS_FILE can't be used: pools.json is not JSON. Correct it, or leave the variable empty.
      Another instance of this bot is already running on data/store. Stop it, then run this again.
      a/b can't be read (no such file, or no right to open it). Check the path, and STORE_DIR; a backup is made by: npm run store -- backup FILE
      a/b can't be written (EACCES). Does its folder exist, may you write there, and is there space?
      PostgreSQL can't be used any more: its disk failed, the server lost writes, waits for a replica or is an old primary, or another instance has taken over. Start the bot again; nothing is sent twice.
      A newer version of Swapdesk wrote a/b. Use that version.
      a/b can't be brought to this version (no such column: share); nothing in it was changed. Go on with the version that wrote it, or begin with an empty STORE_DIR or database.
      a/b is damaged (file is not a database); nothing in it was changed. A backup goes into an empty STORE_DIR: npm run store -- restore FILE
      The record intents/1 can't be read, and nothing was changed.
      DATABASE_URL can't be used: password authentication failed.
      There is a store in data/store already. Name an empty folder in STORE_DIR."
    `);
  });

  it("never sends them to the operator, or to try again in a moment", () => {
    for (const fault of faults)
      expect(operatorSentence(fault)).not.toMatch(/the operator|in a moment|your saved data/i);
  });
});

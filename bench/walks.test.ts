import { setTimeout } from "node:timers/promises";
import { expect, it } from "vitest";
import { accepted } from "../test/support/as-read.js";
import { ordersDesk, watch } from "../test/support/orders-desk.js";
import { paidByBob } from "../test/support/paid-by-bob.js";
import { comparedCard, people, sandboxDesk, tradingDesk } from "../test/support/sandbox-desk.js";
import { createSwiftClock } from "../test/support/swift-clock.js";
import { walletChat } from "../test/support/wallet-chat.js";

/*
 * How far the code of five walks goes, counted in the running bot; see bench/README.md for the rule.
 */

/** Sentences, settings and the store are left out: whatever is said or kept comes past them. */
const layers = ["app", "bot", "conversations", "cards", "services", "encoding"];
/** Before there was a folder for it. */
const appOfOld = /^src\/(?:app|connect|features|trading)\.ts$/;

const layerOf = (file: string): string => (appOfOld.test(file) ? "app" : (file.split("/")[1] ?? ""));

/** The file of `src` that has just called a function of `file`; undefined for the event loop or a program. */
function callerOf(): string | undefined {
  const before = { prepareStackTrace: Error.prepareStackTrace.bind(Error), stackTraceLimit: Error.stackTraceLimit };
  Error.stackTraceLimit = 60;
  Error.prepareStackTrace = (_error, sites) => sites.map((site) => site.getFileName() ?? "");
  const files = new Error().stack as unknown as readonly string[];
  Object.assign(Error, before);
  // This function, what it was called by, and the function that was called.
  return files
    .slice(3)
    .map((name) => /\/(src\/[^?]*\.ts)/.exec(name)?.[1])
    .find((file) => file !== undefined);
}

interface Walk {
  readonly files: Set<string>;
  readonly changes: Set<string>;
}

/** What is called from now on until `walk` is over. */
async function walked(walk: () => Promise<unknown>): Promise<Walk> {
  const files = new Set<string>();
  const changes = new Set<string>();
  const walkedOver = (file: string): void => {
    if (!layers.includes(layerOf(file))) return;
    files.add(file);
    const caller = callerOf();
    if (caller === undefined || !layers.includes(layerOf(caller)) || layerOf(caller) === layerOf(file)) return;
    changes.add(`${caller} > ${file}`);
  };
  Object.assign(globalThis, { walkedOver });
  await walk();
  Object.assign(globalThis, { walkedOver: undefined });
  return { files, changes };
}

const RUNS = 3;

/** Prints what is called each time: loops that happen to run beside a walk are no part of it. */
async function count(name: string, once: () => Promise<Walk>): Promise<void> {
  const [first, ...others] = [await once(), ...(await inTurn(RUNS - 1, once))];
  const always = (of: keyof Walk) => [...first[of]].filter((each) => others.every((other) => other[of].has(each)));
  const [files, changes] = [always("files"), always("changes")];
  const listed =
    process.env["LIST"] === undefined
      ? []
      : ["", ...files.map((file) => `  ${file}`), ...changes.map((change) => `  ${change}`)];
  process.stdout.write(`${name}: ${files.length} files, ${changes.length} changes of layer${listed.join("\n")}\n`);
  expect(files.length).toBeGreaterThan(0);
}

async function inTurn(times: number, once: () => Promise<Walk>): Promise<Walk[]> {
  return times === 0 ? [] : [await once(), ...(await inTurn(times - 1, once))];
}

it("/swap, to its card", () =>
  count("/swap to its card", async () => {
    const { alice } = await tradingDesk();
    return walked(() => alice.asks("/swap 100 KLV KFI", /Swap/));
  }));

it("Confirm, to the outcome", () =>
  count("Confirm to the outcome", async () => {
    const { alice } = await tradingDesk();
    const card = await comparedCard(alice, "/swap 100 KLV KFI");
    return walked(() => alice.confirms(card, accepted));
  }));

it("an order's change, to the chat", () =>
  count("an order's change to the chat", async () => {
    const { sandbox, person } = await ordersDesk();
    const { orderId } = sandbox.market.add({ quantity: "100", price: "0.00678" });
    const alice = person(people.alice);
    await watch(alice, orderId);
    return walked(() => {
      sandbox.market.fill(orderId, "40", "0.0067");
      return alice.reads(/^🟡 40%/);
    });
  }));

it("a price alert, from its line to the push", () =>
  count("a price alert from its line to the push", async () => {
    const patient = { HTTP_TIMEOUT_SECONDS: "100", QUOTE_TTL_SECONDS: "600", PRICE_POLL_RPS: "20" };
    const desk = await sandboxDesk({ clock: createSwiftClock(10) }, patient);
    const alice = await desk.trader();
    const { chain } = desk.sandbox;
    const pool = chain.pools().find((each) => [each.firstToken, each.secondToken].toSorted().join() === "KFI,KLV");
    return walked(async () => {
      await alice.asks("/alert 10 KFI above 150 KLV 30d", /^KFI above 150 KLV/);
      chain.pushPrice(pool?.address ?? "", "KFI", 100);
      await alice.reads(/^(?:🔔|📈) KFI/u);
    });
  }));

it("a payment, to what tells that it has arrived", () =>
  count("a payment to what tells that it has arrived", async () => {
    const { alice, desk } = await walletChat({}, { clock: createSwiftClock(20) });
    await alice.taps(await alice.asks("/balance", /Reported by the node/), "📥 Tell me what arrives (1 KLV or more)");
    // What the tap has led to is over by then.
    await setTimeout(1000);
    return walked(async () => {
      await paidByBob(desk, 2_000_000, { asset: "KLV", payee: "Alice" });
      await alice.reads(/^📥/);
    });
  }));

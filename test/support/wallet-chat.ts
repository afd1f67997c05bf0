import type { DestinationStream } from "pino";
import type { Sandbox, SandboxSetup } from "../../sandbox/sandbox.js";
import type { SandboxDesk } from "./sandbox-desk.js";
import { sandboxDesk, people } from "./sandbox-desk.js";
import { systemClock, type Clock } from "../../src/clock.js";
import { createSwiftClock } from "./swift-clock.js";

type Message = ReturnType<Sandbox["telegram"]["chat"]>[number];

/**
 * Runs blocks and pauses 20 times as fast. What a timer bounds, such as reading a balance, has its real time; other
 * time limits are as long as a test may need.
 */
export const walletClock = (): Clock => ({ ...createSwiftClock(20), timer: systemClock.timer });
const patient = { QUOTE_TTL_SECONDS: "600", SIGN_SECONDS: "3600", HTTP_TIMEOUT_SECONDS: "100" };

/** The whole bot in wallet mode, in a sandbox with a real node; Alice has a payout address. */
export async function walletChat(
  environment: Readonly<Record<string, string>> = {},
  {
    logTo,
    clock = walletClock(),
    ...setup
  }: { readonly logTo?: DestinationStream; readonly clock?: Clock } & Pick<SandboxSetup, "people"> = {},
) {
  const desk = await sandboxDesk(
    { wallet: true, clock, ...setup },
    { ...patient, EXPLORER_URL: "https://explorer.example", ...environment },
    logTo,
  );
  const alice = desk.person(people.alice);
  await alice.asks(`/wallet ${desk.address("Alice")}`);
  return { desk, alice, ...signing(desk) };
}

/** Acts as a user of the page that a card links to, with the page's own requests. */
export function signing(desk: SandboxDesk) {
  const { wallet } = desk.sandbox.real!;

  const pageOf = (message: Message): string => {
    const shown = desk.sandbox.telegram.chat(people.alice).find(({ messageId }) => messageId === message.messageId);
    const button = shown?.keyboard?.flat().find(({ text }) => /Sign in your wallet|Assinar na carteira/.test(text));
    if (button?.url === undefined) throw new Error(`nothing to sign under:\n${shown?.text}`);
    return button.url;
  };
  const post = (page: string, path: string, body: unknown): Promise<Response> =>
    fetch(`${page}/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: new URL(page).origin },
      body: JSON.stringify(body),
    });
  /** Fetches the request, signs it with the sandbox's wallet, and posts the signature. */
  const sign = async (page: string): Promise<number> => {
    const request = (await (await fetch(`${page}/request`)).json()) as { transaction: unknown };
    const { Signature: [signature = ""] = [] } = await wallet.sign(bigints(request.transaction));
    return (await post(page, "signature", { signature: Buffer.from(signature, "base64").toString("hex") })).status;
  };
  return { pageOf, post, sign, transactions: () => desk.sandbox.real!.node.transactions() };
}

/** Converts JSON for the sandbox's wallet: its numbers are bigint. */
export function bigints(value: unknown): unknown {
  if (typeof value === "number") return BigInt(value);
  if (Array.isArray(value)) return value.map(bigints);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, bigints(part)]));
}

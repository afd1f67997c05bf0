import type { Transformer } from "grammy";
import { createBot, overtakes, tellOfOutage, tellToSlowDown } from "../bot/bot.js";
import type { Parts } from "../bot/context.js";
import { presentSoon } from "../bot/intents/present.js";
import { deskView } from "../bot/signing/view.js";
import { contextOf } from "../bot/transport/consume.js";
import { createInbox } from "../bot/transport/inbox.js";
import { startReceiving } from "../bot/transport/receive.js";
import { hostOf, webhookOf } from "../config.js";
import { isFault } from "../fault.js";
import { reportedReplies } from "../services/alerts/reported-replies.js";
import { isOutNow } from "../services/clients/health.js";
import { createDesk } from "../services/wallet-gateway/desk.js";
import { createFollower } from "../services/wallet-gateway/follower.js";
import { createLinks } from "../services/wallet-gateway/links.js";
import type { Alerting } from "./alerts.js";
import type { Foundations, Services } from "./services.js";

export type Chat = ReturnType<typeof composeChat>;

/**
 * Composes the bot with everything that it is reached by, and the desk where wallets sign for it, undefined where nothing is
 * signed. `receive` begins to receive updates. @throws Node's own error when host or port can't be used.
 */
export function composeChat(
  { config, clock, log, place }: Foundations,
  { wallet, node, chainCheck, telegramCall, tracing, metrics, health }: Services,
  { pacer }: Alerting,
  parts: Parts,
) {
  const { store, lead, shared } = place;
  const { intents, trading } = parts;
  // One that was given up while it slept says nothing any more.
  const callWhileHeld: Transformer = async (...request) => {
    await shared?.instance.assertHeld().catch((error: unknown) => {
      if (isFault(error, "store-lost")) throw error;
    });
    return telegramCall(...request);
  };
  const toldOfOutage = new Set<number>();
  const bot = createBot(
    parts,
    { token: config.botToken, call: shared === undefined ? telegramCall : callWhileHeld },
    { pacer: shared === undefined ? pacer : reportedReplies(pacer, lead, clock), metrics, tracing, toldOfOutage },
  );
  const follower = createFollower({
    node,
    intents,
    present: (intent) => presentSoon(parts, bot.api, intent),
    clock,
    log,
  });
  const desk =
    wallet &&
    chainCheck &&
    createDesk({
      ...wallet,
      ...deskView(parts, bot.api),
      assertOpen: trading.assertOpen,
      chainCheck,
      node,
      intents,
      links: createLinks(store),
      follower: {
        follow: (intent, isFresh) => {
          if (lead.isLeading()) follower.follow(intent, isFresh);
          else lead.tell({ about: "transaction", owner: intent.owner, id: intent.id, isFresh: isFresh === true });
        },
      },
      clock,
      log,
    });
  const receive = () =>
    startReceiving({
      bot,
      inbox: createInbox({ store, log }),
      shared: shared && {
        lead,
        queue: (consumer) =>
          shared.createUpdateQueue({
            ...shared,
            consumer,
            overtakes: (update) => overtakes(contextOf(bot, update), parts),
            tellToSlowDown: (update) => tellToSlowDown(contextOf(bot, update)),
            toldOfOutage,
            tellOfOutage: (update) => tellOfOutage(contextOf(bot, update)),
            clock,
            log,
          }),
      },
      metrics,
      serves: async () => {
        await store.assertOwned();
        await trading.pauseNow();
        return !health.read().some((service) => isOutNow(service, clock.now()));
      },
      webhook: webhookOf(config),
      port: config.port,
      host: hostOf(config),
      signing: wallet &&
        desk && {
          desk,
          publicUrl: wallet.publicUrl,
          walletOrigins: [new URL(wallet.walletNodeUrl).origin, new URL(wallet.walletApiUrl).origin],
        },
      clock,
      log,
    });
  return { bot, desk, follower, receive };
}

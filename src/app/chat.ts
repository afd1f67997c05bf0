import { createBot } from "../bot/bot.js";
import type { Parts } from "../bot/context.js";
import { createExpiring } from "../bot/intents/expiring.js";
import { presentSoon, tellFound } from "../bot/intents/present.js";
import { deskView } from "../bot/signing/view.js";
import { createInbox } from "../bot/receive/inbox.js";
import { startReceiving } from "../bot/receive/receive.js";
import { createFeatures } from "../features.js";
import type { SignedIntent } from "../services/intent/intent.js";
import { isOutNow } from "../services/clients/health.js";
import { createDesk } from "../services/wallet/signing.js";
import { createFollower } from "../services/wallet/follow.js";
import type { Alerting } from "./alerts.js";
import type { Foundations, Services } from "./services.js";

export type Chat = ReturnType<typeof composeChat>;

/**
 * Composes the bot with everything that it is reached by, and the desk where wallets sign for it, undefined where nothing is
 * signed. `receive` begins to receive updates. @throws Node's own error when host or port can't be used.
 */
export function composeChat(
  { config, clock, log, store }: Foundations,
  { wallet, node, chainCheck, telegram, metrics, health }: Services,
  { pacer }: Alerting,
  parts: Parts,
) {
  const { intents, trading } = parts;
  const { updates } = config;
  const bot = createBot(
    parts,
    createFeatures(parts),
    { token: config.botToken, client: telegram.options, olderServer: telegram.olderServer },
    { pacer, metrics },
  );
  const expiring = createExpiring(parts, bot.api);
  const view = deskView(parts, bot.api);
  const follower = createFollower({
    node,
    intents,
    recheck: view.recheck,
    present: (intent) => presentSoon(parts, bot.api, intent),
    tellFound: (intent) => tellFound(parts, bot.api, intent),
    clock,
    log,
  });
  const desk =
    wallet &&
    chainCheck &&
    createDesk({
      ...wallet,
      ...view,
      assertOpen: trading.assertOpen,
      chainCheck,
      node,
      intents,
      follower,
      clock,
      log,
    });
  const receive = () =>
    startReceiving({
      bot,
      inbox: createInbox({ bot, store, metrics, clock, log, ...parts.operator }),
      metrics,
      serves: async () => {
        await store.assertOwned();
        await trading.pauseNow();
        return !health.read().some((service) => isOutNow(service, clock.now()));
      },
      webhook: updates.kind === "webhook" ? { url: updates.webhookUrl, secret: updates.webhookSecret } : undefined,
      port: config.port,
      host: config.host,
      metricsToken: config.metricsToken,
      signing: wallet &&
        desk && {
          desk,
          publicUrl: wallet.publicUrl,
          walletOrigins: [new URL(wallet.walletNodeUrl).origin, new URL(wallet.walletApiUrl).origin],
        },
      clock,
      log,
    });
  /** Brings what a wallet signs to its end, where one does. */
  const follow = (request: SignedIntent) => {
    if (desk !== undefined) follower.follow(request);
  };
  return { bot, expiring, follow, follower, receive };
}

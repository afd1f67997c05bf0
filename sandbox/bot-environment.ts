import type { Sandbox } from "./sandbox.js";

/**
 * Environment variables for a bot in this sandbox. The first of the world's accounts without a `telegramId` earns the
 * referral split.
 * @param servesPrograms whether programs can propose trades, as they can wherever wallets sign.
 * @param files the bot's store directory, and a token list with this world's tokens (`Sandbox.world.tokens` as JSON)
 */
export function botEnvironment(
  { url, token, world, real, botPort }: Sandbox,
  files: { readonly storeDir: string; readonly tokensFile: string },
  servesPrograms = real !== undefined,
): Record<string, string> {
  const earner = world.accounts.find(({ telegramId }) => telegramId === undefined);
  return {
    BOT_TOKEN: token,
    TELEGRAM_API_ROOT: url,
    NODE_URL: url,
    QUOTATION_URL: url,
    ORDER_URL: url,
    ORDER_API_KEY: "sandbox-api-key",
    REFERRAL_ADDRESS: earner?.address ?? world.router.owner,
    REFERRAL_PERCENTAGE: "1000",
    REFERRAL_CONTRACT: world.referral.address,
    ROUTER_CONTRACT: world.router.address,
    LOCK_CONTRACT: world.simpleLock.address,
    TOKENS_FILE: files.tokensFile,
    STORE_DIR: files.storeDir,
    RETURN_DATA_ENCODING: world.options.returnDataEncoding,
    // The sandbox's chain charges the account that the call names as its caller; a real chain knows who signed.
    CALL_INCLUDES_CALLER: String(real === undefined),
    LAUNCH_EXTENDED: "true",
    // Long enough to undo it, short enough to see it happen.
    GUARD_DELAY_SECONDS: "60",
    ...(real !== undefined && {
      CALL_GATEWAY: "wallet",
      CHAIN_ID: world.chain.chainId,
      WALLET_NODE_URL: url,
      WALLET_API_URL: url,
    }),
    ...(servesPrograms && { PUBLIC_URL: url, PORT: String(botPort) }),
    LOG_LEVEL: "warn",
  };
}

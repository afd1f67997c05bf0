import { conflict } from "../api-error.js";
import type { Method } from "../server.js";
import { checkSecretToken, checkWebhookUrl } from "../webhook.js";

interface GetUpdates {
  offset?: number;
  limit?: number;
  timeout?: number;
  allowed_updates?: string[];
}

export const getUpdates: Method<GetUpdates> = async ({ polling, webhook, queue }, request, signal) => {
  if (webhook.isSet()) {
    return polling.refuse(
      conflict("can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first"),
    );
  }
  queue.allow(request.allowed_updates);
  return polling.poll(request, signal);
};

interface SetWebhook {
  url?: string;
  secret_token?: string;
  max_connections?: number;
  allowed_updates?: string[];
  drop_pending_updates?: boolean;
}

export const setWebhook: Method<SetWebhook> = (
  { webhook, queue, polling },
  { url = "", secret_token, max_connections = 40, allowed_updates, drop_pending_updates },
) => {
  if (drop_pending_updates === true) queue.clear();
  if (url === "") {
    webhook.set(undefined);
    return true;
  }
  checkWebhookUrl(url);
  if (secret_token !== undefined) checkSecretToken(secret_token);
  queue.allow(allowed_updates);
  polling.interruptByWebhook();
  webhook.set({
    url,
    maxConnections: Math.min(Math.max(max_connections, 1), 100),
    ...(secret_token !== undefined && { secretToken: secret_token }),
  });
  return true;
};

export const deleteWebhook: Method<{ drop_pending_updates?: boolean }> = (
  { webhook, queue },
  { drop_pending_updates },
) => {
  if (drop_pending_updates === true) queue.clear();
  webhook.set(undefined);
  return true;
};

export const getWebhookInfo: Method = ({ webhook }) => webhook.info();

import { type Context, Hono } from "hono";

/**
 * Passes on what comes for the bot: what programs propose, and its signing page, with the wallet's script injected, as an
 * extension would, so that signing works in any browser.
 * @param botUrl where the bot serves them.
 */
export function botProxy(botUrl: string): Hono {
  const routes = new Hono();
  const pass = async ({ req }: Context) => {
    const { pathname } = new URL(req.url);
    const body = req.method === "GET" || req.method === "HEAD" ? undefined : await req.arrayBuffer();
    const headers = new Headers(req.raw.headers);
    headers.delete("connection");
    headers.delete("content-length");
    const sent = { method: req.method, headers, ...(body && { body }), redirect: "manual" } as const;
    const answer = await fetch(botUrl + pathname, sent).catch(() => undefined);
    if (answer === undefined) return new Response("The bot is not running.\n", { status: 502 });
    const changed = new Headers(answer.headers);
    for (const name of ["content-length", "content-encoding", "transfer-encoding", "connection", "keep-alive"]) {
      changed.delete(name);
    }
    const isPage = changed.get("content-type")?.startsWith("text/html") === true;
    const text = await answer.text();
    const content = isPage ? asInSandbox(text) : text;
    return new Response(content, { status: answer.status, headers: changed });
  };
  for (const path of ["/sign/*", "/propose", "/propose/*"]) routes.all(path, pass);
  return routes;
}

/** Adds the wallet's script, and links to the sandbox's chat instead of a bot of that name on Telegram. */
function asInSandbox(page: string): string {
  return page
    .replace("<head>", '<head><script src="/_sim/wallet.js"></script>')
    .replaceAll(/href="https:\/\/t\.me\/[^"]*"/g, 'href="/"');
}

/**
 * The stream of everything that happens in the sandbox. There is no polling: after every (re)connection the page reads
 * the whole state once, then applies the events that arrived meanwhile. Events carry complete objects with an id, so
 * applying one twice is harmless.
 */

const RETRY_MS = 1000;

/**
 * Events are `any` here: only `apply` knows their types.
 * @param {{
 *   url: string,
 *   readAll: () => Promise<void>,
 *   apply: (event: any) => void,
 *   onState: (state: "live" | "lost") => void,
 * }} parts
 */
export function openFeed({ url, readAll, apply, onState }) {
  const source = new EventSource(url);
  /** @type {unknown[] | undefined} events that wait until the state has been read; undefined if none have to wait */
  let waiting = [];

  const again = () => {
    source.close();
    setTimeout(() => openFeed({ url, readAll, apply, onState }), RETRY_MS);
  };

  source.addEventListener("message", ({ data }) => {
    const event = JSON.parse(data);
    if (waiting) waiting.push(event);
    else apply(event);
  });

  source.addEventListener("open", async () => {
    waiting = [];
    try {
      await readAll();
    } catch {
      again();
      return;
    }
    waiting.forEach(apply);
    waiting = undefined;
    onState("live");
  });

  source.addEventListener("error", () => {
    onState("lost");
    // The browser reconnects automatically, unless the response was an error.
    if (source.readyState === EventSource.CLOSED) again();
  });
}

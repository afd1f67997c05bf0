import { createServer, request as httpRequest, type ServerResponse } from "node:http";
import { temporaryServer } from "./temporary-server.js";

/**
 * A proxy between the bot and the sandbox's node, like a load balancer in front of several nodes.
 * @param answers returns whether it answered the request itself; others are passed on.
 */
export async function nodeProxy(answers: (path: string, response: ServerResponse) => boolean) {
  let passTo: (url: string) => void = () => undefined;
  const target = new Promise<string>((resolve) => (passTo = resolve));
  const server = createServer((incoming, outgoing) => {
    const { url: path = "", method, headers } = incoming;
    void target.then((url) => {
      if (answers(path, outgoing)) return incoming.resume();
      const passedOn = httpRequest(
        url + path,
        { method, headers: { ...headers, host: new URL(url).host } },
        (answer) => {
          outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(outgoing);
        },
      );
      passedOn.on("error", () => outgoing.destroy());
      return incoming.pipe(passedOn);
    });
  });
  return { url: await temporaryServer(server), passTo };
}

import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** Between a program and its server. It ends with the test. */
export interface LossyProxy {
  readonly port: number;
  /** Breaks the connection on which a text passes next: before the server has it, or before its answer comes back. */
  readonly breakAt: (text: string, when: "before" | "after") => void;
  /** Lets nothing pass either way, not even the end of a connection, or lets it pass again. */
  readonly freeze: (isFrozen: boolean) => void;
  /** Breaks every connection, and lets nobody in any more. */
  readonly breakAll: () => void;
}

export async function startLossyProxy(serverPort: number): Promise<LossyProxy> {
  let armed: { readonly text: string; readonly when: "before" | "after" } | undefined;
  let isFrozen = false;
  const sockets = new Set<Socket>();
  const proxy = createServer((client) => {
    const server = connect(serverPort, "127.0.0.1");
    let isDoomed = false;
    const end = () => {
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on("error", end).on("close", end);
    }
    client.on("data", (data) => {
      if (armed === undefined || !data.includes(armed.text)) {
        server.write(data);
        return;
      }
      const { when } = armed;
      armed = undefined;
      isDoomed = true;
      if (when === "before") end();
      else server.write(data);
    });
    server.on("data", (data) => {
      if (isDoomed) end();
      else client.write(data);
    });
    if (isFrozen) for (const socket of [client, server]) socket.pause();
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const breakAll = () => {
    proxy.close();
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(breakAll);
  return {
    port: (proxy.address() as AddressInfo).port,
    breakAt: (text, when) => {
      armed = { text, when };
    },
    freeze: (isToFreeze) => {
      isFrozen = isToFreeze;
      for (const socket of sockets) {
        if (isFrozen) socket.pause();
        else socket.resume();
      }
    },
    breakAll,
  };
}

import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { onTestFinished } from "vitest";

/** A host that takes no connection: as many wait already as may. */
export async function busyHost() {
  const source = `const server = require("net").createServer();
    server.on("connection", (socket) => socket.on("data", (data) => process.stdout.write(data)));
    server.listen({ host: "127.0.0.1", port: 0, backlog: 1 }, () => console.log(server.address().port));`;
  const host = spawn(process.execPath, ["-e", source], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void host.kill("SIGKILL"));
  const [line] = (await once(host.stdout, "data")) as [Buffer];
  let read = "";
  host.stdout.on("data", (data: Buffer) => (read += data.toString()));
  host.kill("SIGSTOP");
  for (let count = 0; count < 2; count += 1) {
    const socket = connect(Number(line), "127.0.0.1").on("error", () => undefined);
    onTestFinished(() => void socket.destroy());
    await once(socket, "connect");
  }
  return {
    url: `http://127.0.0.1:${Number(line)}`,
    /** Takes all connections from now on, and reads what comes. */
    take: () => void host.kill("SIGCONT"),
    /** What it has read. */
    read: () => read,
  };
}

import { execFile } from "node:child_process";
import type { Clock } from "./clock.js";

/**
 * Tells systemd that the program is ready, and then twice within each watchdog period that it still runs: a process whose event
 * loop hangs falls silent and is restarted. Node has no datagram sockets of Unix, so systemd's own `systemd-notify` speaks for it
 * (the unit needs `NotifyAccess=all`). Does nothing where systemd asks for nothing.
 * @param environment `NOTIFY_SOCKET`, and `WATCHDOG_USEC`, the period in microseconds (sd_notify(3), sd_watchdog_enabled(3)).
 */
export function notifySystemd(environment: Readonly<Record<string, string | undefined>>, clock: Clock): void {
  if (environment["NOTIFY_SOCKET"] === undefined) return;
  const notify = (state: string) =>
    void execFile("systemd-notify", [state], () => {
      // systemd restarts us without it, and says so in the journal.
    });
  notify("READY=1");
  const period = environment["WATCHDOG_USEC"];
  if (period === undefined || !/^[0-9]{1,15}$/.test(period)) return;
  const again = () => {
    notify("WATCHDOG=1");
    clock.timer(Number(period) / 2000, again);
  };
  again();
}

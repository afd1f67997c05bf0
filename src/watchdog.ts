import { execFile } from "node:child_process";
import type { Clock } from "./clock.js";

/**
 * Notifies systemd that the program is ready, then twice per watchdog period that it is alive, so that a process whose
 * event loop hangs is restarted. Runs `systemd-notify`, since Node has no Unix datagram sockets (the unit needs
 * `NotifyAccess=all`). Does nothing unless systemd asks for it.
 * @param environment `NOTIFY_SOCKET`, and `WATCHDOG_USEC`, the period in microseconds (sd_notify(3), sd_watchdog_enabled(3)).
 */
export function notifySystemd(environment: Readonly<Record<string, string | undefined>>, clock: Clock): void {
  if (environment["NOTIFY_SOCKET"] === undefined) return;
  const notify = (state: string) =>
    void execFile("systemd-notify", [state], () => {
      // If it fails, systemd restarts us and says so in the journal.
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

import type { IncomingHttpHeaders } from "node:http";

const ownHost = /^(?:127\.0\.0\.1|localhost):([0-9]+)$/;

/**
 * Whether a request is meant for the sandbox, and no foreign page's. A page of any site that is open in the same browser
 * may ask this machine, some things without being asked back, and all by a host name that it makes mean this machine.
 */
export function isOwn({ host = "", origin }: IncomingHttpHeaders, port: number): boolean {
  const isHere = (place: string) => ownHost.exec(place)?.[1] === String(port);
  return isHere(host) && (origin === undefined || isHere(origin.replace(/^http:\/\//, "")));
}

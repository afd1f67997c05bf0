import type { ServiceName } from "../../fault.js";
import type { Incident } from "../../model/operator-event.js";
import { collectionOf } from "../../store/defaults.js";
import type { OperatorParts } from "./parts.js";
import type { TellOperators } from "./pushes.js";

/** An incident (the document's id is its name): whether it goes on, and whether operators were told of it. */
interface IncidentDocument {
  readonly version: 1;
  /** In milliseconds since 1970; absent while all is well. */
  readonly since?: number;
  readonly isTold: boolean;
}

const fine: IncidentDocument = { version: 1, isTold: false };

const incidents = collectionOf("incidents", fine);

/** Sending takes less; after this time, whoever was to send it must have died. */
const UNTOLD_MILLISECONDS = 10_000;

/** Notes whether an incident goes on now. Operators are told when it begins, and when a service is back. Safe to repeat. */
export type NoteIncident = (incident: Incident, isOn: boolean) => Promise<void>;

/** An incident's beginning is written before it is reported, so that neither a restart nor another instance reports it again. */
export function createIncidents(
  { store, clock }: Pick<OperatorParts, "clock" | "store">,
  tell: TellOperators,
): NoteIncident {
  /** What this process has last brought about or found. */
  const known = new Map<Incident, boolean>();

  const begin = async (incident: Incident): Promise<void> => {
    const now = clock.now();
    const since = await store.update(incidents, incident, (before) => {
      if (before.since === undefined) return [{ ...fine, since: now }, now];
      const isUntold = !before.isTold && now - before.since >= UNTOLD_MILLISECONDS;
      return [before, isUntold ? before.since : undefined];
    });
    if (since === undefined) return;
    await tell(`${incident}-${since}`, { about: "incident", incident, since });
    await store.update(incidents, incident, (before) =>
      before.since === since ? [{ ...before, isTold: true }, undefined] : [before, undefined],
    );
  };

  const end = async (incident: Incident): Promise<void> => {
    const since = await store.update(incidents, incident, (before) =>
      before.since === undefined ? [before, undefined] : [fine, before.since],
    );
    const service = serviceOf(incident);
    if (since === undefined || service === undefined) return;
    await tell(`${service}-return-${since}`, { about: "return", service, since });
  };

  return async (incident, isOn) => {
    if (known.get(incident) === isOn) return;
    await (isOn ? begin(incident) : end(incident));
    known.set(incident, isOn);
  };
}

function serviceOf(incident: Incident): ServiceName | undefined {
  const [, service] = /^(.+)-outage$/.exec(incident) ?? [];
  return service as ServiceName | undefined;
}

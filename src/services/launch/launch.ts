import type { Evidence, Launch, LaunchStep } from "../../model/launch.js";
import type { Person } from "../../model/person.js";

export function launchOf(person: Person, id: string): Launch | undefined {
  const launches = person.launches ?? {};
  return Object.hasOwn(launches, id) ? launches[id] : undefined;
}

/** A person's launches, the newest first. */
export function launchesOf(person: Person): readonly Launch[] {
  return Object.values(person.launches ?? {}).sort((left, right) => right.createdAt - left.createdAt);
}

export function withLaunch(person: Person, launch: Launch): Person {
  return { ...person, launches: { ...person.launches, [launch.id]: launch } };
}

/** The person without a launch: it is dropped from the list, and nothing on the chain changes. */
export function withoutLaunch(person: Person, id: string): Person {
  const { [id]: _dropped, ...launches } = person.launches ?? {};
  return { ...person, launches };
}

/** The launch with a step done; what was unknown about the step is settled with it. */
export function withDone(launch: Launch, step: LaunchStep, by: Evidence): Launch {
  return { ...launch, done: { ...launch.done, [step]: by }, unknown: launch.unknown.filter((each) => each !== step) };
}

/** The launch with a step open again. */
export function withOpen(launch: Launch, step: LaunchStep): Launch {
  const { [step]: _done, ...done } = launch.done;
  return { ...launch, done, unknown: launch.unknown.filter((each) => each !== step) };
}

/** What a button carries: `v1:<verb>:<id>`. */
export interface ButtonData {
  readonly verb: string;
  readonly id: string;
}

/** Reads a button's data; undefined for anything that this bot did not put there. */
export function parseButton(data: string): ButtonData | undefined {
  const match = /^v1:([a-z-]{1,12}):([A-Za-z0-9_./-]{1,48})$/.exec(data);
  return match?.[1] === undefined || match[2] === undefined ? undefined : { verb: match[1], id: match[2] };
}

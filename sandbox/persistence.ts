/** A part of the sandbox whose state outlives the process. */
export interface Kept<State> {
  readonly keep: () => State;
  readonly restore: (state: State) => void;
}

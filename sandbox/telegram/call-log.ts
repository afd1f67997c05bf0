/** One request to the Bot API and what it was answered. The token is no part of it. */
export interface Call {
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly method: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** 0 when the connection was cut or never answered. */
  status: number;
  answer?: unknown;
  fault?: string;
  /** Milliseconds since 1970; absent while the call waits. */
  answeredAt?: number;
}

const mostKept = 10_000;

export type CallLog = ReturnType<typeof createCallLog>;

/** The newest requests, oldest first. */
export function createCallLog() {
  const calls: Call[] = [];
  let lastId = 0;
  return {
    add(call: Omit<Call, "id">): Call {
      const added = { ...call, id: (lastId += 1) };
      calls.push(added);
      if (calls.length > mostKept) calls.shift();
      return added;
    },
    all: (): Call[] => [...calls],
  };
}

import type { World } from "../world.js";
import type { FailureCode } from "./failure.js";

/** A node's HTTP response. */
export interface Answer {
  readonly status: 200 | 400;
  readonly body: object;
}

/** A successful call. Documented: `data.returnData` and `ok`; a klever-go node nests once more and says `Ok`. */
export function successAnswer(options: World["options"], entries: readonly Buffer[]): Answer {
  const returnData = entries.map((entry) => entry.toString(options.returnDataEncoding));
  return vmAnswer(options, {
    returnData,
    returnCode: options.answerNesting === "node" ? "Ok" : "ok",
    returnMessage: "",
  });
}

/** A failed call: also status 200, with the reason in `returnMessage` and, after the code, in `error`. */
export function failureAnswer(options: World["options"], returnCode: FailureCode, returnMessage: string): Answer {
  return vmAnswer(options, { returnData: [], returnCode, returnMessage }, `${returnCode}:${returnMessage}`);
}

/** A request that is not a valid call (klever-go vmValuesGroup.go). */
export function badRequestAnswer(text: string): Answer {
  return { status: 400, body: { data: null, error: `executeQuery: ${text}`, code: "bad_request" } };
}

function vmAnswer(options: World["options"], output: object, error = ""): Answer {
  const data = options.answerNesting === "node" ? { data: output } : output;
  return { status: 200, body: { data, error, code: "successful" } };
}

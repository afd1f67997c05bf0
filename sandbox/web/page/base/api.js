/** Requests to the sandbox that serves this page. */

/**
 * Returns `any`, since each path has its own type of answer, known only to the caller.
 * @param {string} path
 * @param {unknown} [body] sent as JSON by POST; without it, the request is a GET
 * @returns {Promise<any>}
 */
export async function request(path, body) {
  const response = await fetch(
    path,
    body === undefined
      ? { headers: { accept: "application/json" } }
      : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) },
  ).catch(() => {
    throw new Error("The sandbox can't be reached.");
  });
  const text = await response.text();
  const answer = text === "" ? undefined : readJson(text);
  if (!response.ok) throw new Error(answer?.error ?? answer?.description ?? `The sandbox answered ${response.status}.`);
  return answer;
}

/** @param {string} text */
function readJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("The sandbox answered something that is not JSON.");
  }
}

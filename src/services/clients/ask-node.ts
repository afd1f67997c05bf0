import { endpoint, type Http, type HttpAnswer } from "./http.js";

/** How a node is reached. */
export interface NodeParts {
  readonly nodeUrl: string;
  readonly http: Http;
}

/**
 * Asks the node: a GET, or a POST where there is a body of JSON. Asked again after a failure unless `retry` says no.
 * @throws as {@link Http.request}.
 */
export function askNode(
  { nodeUrl, http }: NodeParts,
  path: string,
  {
    body,
    retry = true,
    maximumBytes,
  }: { readonly body?: string; readonly retry?: boolean; readonly maximumBytes: number },
): Promise<HttpAnswer> {
  const posted = { method: "POST", headers: { "content-type": "application/json" }, body: body ?? "" } as const;
  return http.request({
    service: "node",
    url: endpoint(nodeUrl, path),
    ...(body === undefined ? { method: "GET" } : posted),
    retry,
    maximumBytes,
  });
}

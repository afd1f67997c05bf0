import { endpoint, type Http, type HttpAnswer, type HttpRequest } from "../clients/http.js";

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
  more: Partial<Pick<HttpRequest, "body" | "retry" | "maximumBytes">> = {},
): Promise<HttpAnswer> {
  const method = more.body === undefined ? "GET" : "POST";
  return http.request({ service: "node", method, url: endpoint(nodeUrl, path), retry: true, ...more });
}

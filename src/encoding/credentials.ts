/**
 * Removes user and password from a URL, so that no message about it can show them; they are sent in a header instead.
 * @throws TypeError for an invalid URL, URIError for a malformed `%` escape.
 */
export function splitCredentials(text: string) {
  const url = new URL(text);
  const [user, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  url.username = "";
  url.password = "";
  const pair = Buffer.from(`${user}:${password}`).toString("base64");
  return { url, user, password, authorization: pair === "Og==" ? undefined : `Basic ${pair}` };
}

/** A URL without the user and password that were written in it. */
export interface SplitUrl {
  readonly url: URL;
  readonly password: string;
  /** The header in which they travel instead, so that no message about the URL can show them; undefined where there were none. */
  readonly authorization: string | undefined;
}

/** Takes user and password out of a URL. @throws TypeError for what is no URL, URIError for a `%` that encodes nothing. */
export function splitCredentials(text: string): SplitUrl {
  const url = new URL(text);
  const [user, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  url.username = "";
  url.password = "";
  const pair = Buffer.from(`${user}:${password}`).toString("base64");
  return { url, password, authorization: pair === "Og==" ? undefined : `Basic ${pair}` };
}

/**
 * The fields of a multipart/form-data body; undefined if it isn't one. Node's own parser refuses headers without a
 * space after the colon and file names without quotes, which the real server accepts and grammY sends.
 */
export function readMultipart(body: Buffer, contentType: string): Record<string, string | File> | undefined {
  const boundary = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType);
  const delimiter = boundary?.[1] ?? boundary?.[2];
  if (delimiter === undefined) return undefined;
  const parts = between(body, `--${delimiter}`);
  if (parts === undefined) return undefined;
  const fields: Record<string, string | File> = {};
  for (const part of parts) {
    const headerEnd = part.indexOf("\r\n\r\n");
    if (headerEnd === -1) return undefined;
    const headers = part.subarray(0, headerEnd).toString("utf8");
    const name = parameter(headers, "name");
    if (name === undefined) return undefined;
    const content = part.subarray(headerEnd + 4);
    const filename = parameter(headers, "filename");
    const type = /^content-type:\s*(.+)$/im.exec(headers)?.[1]?.trim() ?? "";
    fields[name] = filename === undefined ? content.toString("utf8") : new File([content], filename, { type });
  }
  return fields;
}

/** The parts between the delimiters, up to the closing one. */
function between(body: Buffer, delimiter: string): Buffer[] | undefined {
  const parts: Buffer[] = [];
  let start = body.indexOf(delimiter);
  if (start === -1) return undefined;
  for (;;) {
    start += delimiter.length;
    if (body.toString("latin1", start, start + 2) === "--") return parts;
    const end = body.indexOf(`\r\n${delimiter}`, start);
    if (end === -1) return undefined;
    parts.push(body.subarray(start + 2, end));
    start = end + 2;
  }
}

function parameter(headers: string, name: string): string | undefined {
  const found = new RegExp(`[;\\s]${name}=(?:"([^"]*)"|([^;\\r\\n]+))`, "i").exec(headers);
  return found?.[1] ?? found?.[2];
}

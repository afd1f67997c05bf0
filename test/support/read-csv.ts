/**
 * Reads a CSV file by the grammar of RFC 4180, section 2, and by nothing else: lines end in CRLF, a field with a quote, a
 * comma or a line break is quoted, and a quote within it is doubled. @throws where a file is any other.
 */
export function readCsv(text: string): readonly Readonly<Record<string, string>>[] {
  const [names = [], ...rows] = recordsIn(text);
  return rows.map((row) => {
    if (row.length !== names.length)
      throw new Error(`${row.length} fields under ${names.length} names: ${row.join("|")}`);
    return Object.fromEntries(row.map((field, index) => [names[index]!, field]));
  });
}

const FIELD = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;

function recordsIn(text: string): readonly (readonly string[])[] {
  const records: string[][] = [[]];
  for (let at = 0; at < text.length; ) {
    FIELD.lastIndex = at;
    const [whole, quoted, plain = "", end] = FIELD.exec(text) ?? [];
    if (whole === undefined) throw new Error(`no field at ${at}: ${text.slice(at, at + 40)}`);
    records.at(-1)!.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === "\r\n") records.push([]);
    at += whole.length;
  }
  if (records.pop()!.length > 0) throw new Error("no line break at the end");
  return records;
}

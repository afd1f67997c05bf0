import { stringify } from "csv-stringify/sync";

/** What each column of a file says of a row, in their order; nothing where it is unknown. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => string | undefined>>;

/** What a spreadsheet would take for a formula. A negative figure is none. */
const FORMULA = /^(?:[=+@\t\r]|-(?![0-9.]+$))/;

/** A file for spreadsheets (RFC 4180, UTF-8 with its mark). Its fixed words are English in every language, since programs read them. */
export function csvOf<Row>(columns: Columns<Row>, rows: readonly Row[]): Buffer {
  const cells = rows.map((row) => Object.values(columns).map((write) => (write(row) ?? "").replace(FORMULA, "'$&")));
  return Buffer.from(`\uFEFF${stringify([Object.keys(columns), ...cells], { record_delimiter: "windows" })}`);
}

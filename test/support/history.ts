import type { Person } from "./stub-telegram.js";
import { until } from "./until.js";

/** Returns the rows of a user's history from all pages. */
export async function wholeHistory(person: Person): Promise<readonly string[]> {
  person.says("/history");
  const page = await person.reads(/^Your history/);
  const rows: string[] = [];
  for (;;) {
    const before = page.text;
    const lines = before.split("\n");
    rows.push(
      ...lines.flatMap((line, index) => (line.includes(" KLV →") ? [`${line} ${lines[index + 1] ?? ""}`] : [])),
    );
    if (!page.buttons.some(({ text }) => text.startsWith("Older"))) return rows;
    person.taps(page, "Older");
    await until(() => page.text !== before);
  }
}

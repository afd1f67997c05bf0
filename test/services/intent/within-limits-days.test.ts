import { expect, it } from "vitest";
import { amountOf } from "../../../src/encoding/amount.js";
import type { Terms } from "../../../src/services/intent/terms.js";
import { people } from "../../support/documents.js";
import type { Person } from "../../../src/services/person/person.js";
import { beyondLimit } from "../../../src/services/intent/within-limits.js";
import { lockTerms, swapTerms } from "../../cards/arrange.js";
import { klv } from "../samples.js";
import { fc } from "../../support/property.js";

const HOUR = 3_600_000;
const IN_A_DAY = 100n;
/** Whole hours, three quarters, and a summer time of half an hour. */
const ZONES = ["UTC", "Asia/Kathmandu", "America/Sao_Paulo", "Australia/Lord_Howe", "Pacific/Kiritimati"];

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant("pay" as const), units: fc.bigInt({ min: 1n, max: 60n }) }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant("wait" as const), time: fc.nat({ max: 9 * HOUR }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("move" as const), zone: fc.constantFrom(...ZONES) }) },
);

it("no day of a person's zone has more than their limit, whatever is paid when, and however often they move", () => {
  const begins = fc.date({
    min: new Date("2026-01-01T00:00:00Z"),
    max: new Date("2027-01-01T00:00:00Z"),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(begins, fc.array(step, { maxLength: 60 }), (begin, steps) => {
      let now = begin.getTime();
      let person: Person = {
        ...people.create("1"),
        limits: { [klv.id]: { most: { inADay: amountOf(klv, IN_A_DAY) } } },
      };
      const paid: { at: number; units: bigint }[] = [];
      const sum = (counts: (at: number) => boolean) =>
        paid.reduce((total, { at, units }) => (counts(at) ? total + units : total), 0n);
      for (const [index, taken] of steps.entries()) {
        switch (taken.do) {
          case "wait":
            now += taken.time;
            break;
          case "move":
            person = { ...person, timeZone: taken.zone, timeZoneSince: now };
            break;
          case "pay": {
            const amount = amountOf(klv, taken.units);
            const terms: Terms = index % 2 === 0 ? { ...swapTerms, amountIn: amount } : { ...lockTerms, amount };
            const spent = paid.map(({ at, units }) => ({ at, amount: amountOf(klv, units) }));
            // Of older ones nobody asks.
            const lately = spent.filter(({ at }) => at > now - 49 * HOUR);
            if (beyondLimit(person, terms, lately, now) !== undefined) break;
            paid.push({ at: now, units: taken.units });
            const dayOf = new Intl.DateTimeFormat("en-CA", { timeZone: person.timeZone });
            const today = dayOf.format(now);
            expect(sum((at) => dayOf.format(at) === today)).toBeLessThanOrEqual(IN_A_DAY);
            const hasMoved = now - (person.timeZoneSince ?? 0) < 24 * HOUR;
            if (hasMoved) expect(sum((at) => now - at < 24 * HOUR)).toBeLessThanOrEqual(IN_A_DAY);
          }
        }
      }
    }),
  );
});

import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import * as z from "zod";
import { proposalBody, proposalRoutes, statusOfAnswer } from "../../../src/bot/receive/proposal-routes.js";
import { proposalWords } from "../../../src/services/standing/proposals.js";

type Schema = Readonly<Record<string, unknown>> & {
  readonly properties: Readonly<Record<string, Record<string, unknown>>>;
};
interface Operation {
  readonly responses: Readonly<Record<string, { readonly content: { "application/json": { schema: Schema } } }>>;
}
const page = JSON.parse(readFileSync("docs/openapi.json", "utf8")) as {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<"Proposal" | "Refused" | "State", Schema>> };
};
const operations = Object.entries(page.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

it("the page has each route, and no other", () => {
  const { routes } = proposalRoutes({} as Parameters<typeof proposalRoutes>[0]);
  const served = routes
    .filter(({ method }) => method !== "ALL")
    .map(({ method, path }) => `${method} ${path.replace(/:\w+/g, "*")}`);
  const listed = operations.map(({ method, path }) => `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, "*")}`);
  expect(listed.toSorted()).toEqual([...new Set(served)].toSorted());
  expect(page.openapi).toBe("3.1.0");
});

it("a body is described as it is read", () => {
  const { properties, required, additionalProperties } = z.toJSONSchema(proposalBody, { io: "input" });
  const plain = (schemas: unknown) =>
    JSON.parse(
      JSON.stringify(schemas, (key, value: unknown) => (["description", "default"].includes(key) ? undefined : value)),
    ) as Record<string, Record<string, unknown>>;
  const listed = plain(page.components.schemas.Proposal.properties);
  const read = plain(properties);
  expect(Object.keys(listed)).toEqual(Object.keys(read));
  for (const name of ["trade", "id", "good"]) expect(listed[name], name).toEqual(read[name]);
  expect(page.components.schemas.Proposal["required"]).toEqual(required);
  expect(page.components.schemas.Proposal["additionalProperties"]).toEqual(additionalProperties);
});

it("every answer has its status, and every state its word", () => {
  const statusOf = (name: string) =>
    operations
      .filter(({ method }) => method === "post")
      .map(({ operation }) =>
        Object.keys(operation.responses).filter((status) => errorsIn(operation, status).includes(name)),
      );
  const errorsIn = ({ responses }: Operation, status: string) => {
    const { schema } = responses[status]!.content["application/json"];
    const shown =
      "$ref" in schema ? page.components.schemas[String(schema["$ref"]).split("/").at(-1) as "Refused"] : schema;
    const { error } = shown.properties;
    return error === undefined ? [] : [error["const"], error["enum"]].flat();
  };
  const refusals = Object.entries({ ...statusOfAnswer, unreadable: 400, "too-large": 413, "try-again": 503 }).filter(
    ([, status]) => status >= 400,
  );
  for (const [name, status] of refusals) expect(statusOf(name), name).toEqual([[String(status)], [String(status)]]);
  expect(page.components.schemas.State.properties["state"]!["enum"]).toEqual(proposalWords);
});

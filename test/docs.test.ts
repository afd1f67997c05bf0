import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "..");
const pages = ["README.md", ...readdirSync(join(root, "docs")).map((name) => `docs/${name}`)];

it.each(pages.filter((page) => page.endsWith(".md")))("%s names only files and folders that exist", (page) => {
  const text = readFileSync(join(root, page), "utf8");
  const named = [...text.matchAll(/`((?:src|test|sandbox|bench|data|docs)\/[^`\s]*)`/g)].map(([, path = ""]) => path);
  expect(named.filter((path) => !/^data\/(?:store|sandbox)$/.test(path) && !existsSync(join(root, path)))).toEqual([]);
});

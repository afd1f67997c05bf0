import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname, join, relative, sep } from "node:path";
import { Hono } from "hono";

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** The page makes requests to the sandbox only, and runs only its own script files. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/**
 * Serves a folder's files unchanged, with `/` for `index.html`. The folder is listed once, so that no path can lead out
 * of it; files are read at each request, so that a change shows after a reload.
 */
export function pageFiles(directory: string): Hono {
  const files = new Map(
    readdirSync(directory, { recursive: true, encoding: "utf8" })
      .filter((name) => extname(name) in types)
      .map((name) => [`/${relative(".", name).split(sep).join("/")}`, join(directory, name)]),
  );
  const routes = new Hono();
  routes.get("*", async (context, next) => {
    const path = context.req.path === "/" ? "/index.html" : context.req.path;
    const file = files.get(path);
    if (file === undefined) return next();
    return context.body(await readFile(file), 200, {
      "content-type": types[extname(file)] ?? "",
      "content-security-policy": contentSecurityPolicy,
      "cache-control": "no-cache",
      "x-content-type-options": "nosniff",
    });
  });
  return routes;
}

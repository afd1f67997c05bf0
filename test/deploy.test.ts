import { readdirSync, readFileSync } from "node:fs";
import { validate } from "dockerfile-utils";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import * as z from "zod";
import { variables } from "../src/config.js";
import { createHealth } from "../src/services/base/health.js";

const read = (file: string) => readFileSync(file, "utf8");

describe("the Dockerfile", () => {
  const text = read("Dockerfile");

  it("passes its linter", () => {
    expect(validate(text)).toEqual([]);
    expect(validate("FRM node").length).toBeGreaterThan(0);
  });

  it("copies only what .dockerignore allows, and sets only variables that exist", () => {
    const allowed: readonly string[] = read(".dockerignore").match(/(?<=^!).+/gm) ?? [];
    const copied = [...text.matchAll(/^COPY (?!--)(.+) \S+$/gm)].flatMap(([, files = ""]) => files.split(" "));
    expect(copied.filter((file) => !allowed.includes(file))).toEqual([]);
    const [, set = ""] = /^ENV (.+)$/m.exec(text) ?? [];
    const names = set.split(" ").map((pair) => pair.replace(/=.*/, ""));
    expect(names.filter((name) => name !== "NODE_ENV" && !(name in variables))).toEqual([]);
  });

  it("doesn't run as root, and has a health check", () => {
    const lastStage = text.slice(text.lastIndexOf("FROM"));
    expect(lastStage).toMatch(/^USER node$/m);
    expect(lastStage).toMatch(/^HEALTHCHECK/m);
  });
});

const composition = z.object({
  services: z.record(
    z.string(),
    z.strictObject({
      build: z.string().optional(),
      image: z
        .string()
        .regex(/^[a-z]+:[^:]*\d/)
        .optional(),
      env_file: z.string().optional(),
      environment: z.record(z.string(), z.string()).optional(),
      volumes: z.array(z.string()).optional(),
      ports: z.array(z.string()).optional(),
      deploy: z.strictObject({ replicas: z.number() }).optional(),
      depends_on: z.unknown().optional(),
      healthcheck: z.unknown().optional(),
      read_only: z.boolean().optional(),
      tmpfs: z.array(z.string()).optional(),
      cap_drop: z.array(z.string()).optional(),
      cap_add: z.array(z.string()).optional(),
      security_opt: z.array(z.string()).optional(),
      restart: z.enum(["unless-stopped"]),
      stop_grace_period: z.string().optional(),
      logging: z.strictObject({ driver: z.enum(["local"]) }),
    }),
  ),
  volumes: z.record(z.string(), z.null()),
});

const workflow = z.object({
  jobs: z.object({
    test: z.object({
      strategy: z.object({ matrix: z.object({ node: z.array(z.number()) }) }),
      steps: z.array(z.object({ uses: z.string().optional(), run: z.string().optional() })),
    }),
  }),
});

it("whatever installs packages runs no script of theirs", () => {
  const pages = readdirSync("docs").flatMap((name) => (name.endsWith(".md") ? [`docs/${name}`] : []));
  const own = ["Dockerfile", ".github/workflows/test.yml", ".ci/run", "README.md", "CONTRIBUTING.md"];
  // What was run on a day is as it was.
  const files = [...own, "bench/README.md", "deploy/swapdesk.service", ...pages].filter(
    (file) => !/compatibility/.test(file),
  );
  const installs = files.flatMap((file) =>
    [...read(file).matchAll(/npm (?:ci|install)\b[^`&\n)]*/g)].map(([text]) => text),
  );
  expect(installs.length).toBeGreaterThan(9);
  expect(installs.filter((text) => !text.includes("--ignore-scripts"))).toEqual([]);
});

describe.each(["compose.yaml", "compose.scale.yaml"])("%s", (file) => {
  const { services, volumes } = composition.parse(parse(read(file)));

  it("restricts the bot's container, and sets only variables that exist", () => {
    const bot = (services["swapdesk"] ?? services["second"])!;
    expect(bot).toMatchObject({
      build: ".",
      read_only: true,
      cap_drop: ["ALL"],
      security_opt: ["no-new-privileges:true"],
    });
    expect(Object.keys(bot.environment ?? {}).filter((name) => !(name in variables))).toEqual([]);
  });

  it("lets no service gain a privilege, or keep one that it doesn't need", () => {
    const needed: Readonly<Record<string, readonly string[]>> = {
      // Gives its folder to its user, and becomes that.
      postgres: ["CHOWN", "DAC_OVERRIDE", "FOWNER", "SETGID", "SETUID"],
      // Listens on ports 80 and 443.
      proxy: ["NET_BIND_SERVICE"],
    };
    for (const [name, service] of Object.entries(services)) {
      expect(service).toMatchObject({ cap_drop: ["ALL"], security_opt: ["no-new-privileges:true"] });
      expect(service.cap_add).toEqual(needed[name]);
    }
  });

  it("declares exactly the volumes that it uses", () => {
    const used = Object.values(services).flatMap((service) => service.volumes ?? []);
    const named = used.map((volume) => volume.split(":")[0]!).filter((name) => !name.startsWith("."));
    expect(named.toSorted()).toEqual(Object.keys(volumes).toSorted());
  });
});

it("the workflow runs the tests on each version of Node that the package supports", () => {
  const { jobs } = workflow.parse(parse(read(".github/workflows/test.yml")));
  expect(jobs.test.strategy.matrix.node).toEqual([20, 22, 24, 26]);
  expect(jobs.test.steps.flatMap(({ run }) => run ?? [])).toEqual(["npm ci --ignore-scripts", "npm test"]);
});

it("the proxy asks which instance is active, not whether all services work", () => {
  expect(read("deploy/Caddyfile").match(/health_uri \S+/g)).toEqual(["health_uri /active"]);
});

const rules = z.object({
  groups: z.array(z.object({ rules: z.array(z.object({ alert: z.string(), expr: z.string() })) })),
});

it("the rules count as a failure of the node what the bot does", () => {
  const [group] = rules.parse(parse(read("deploy/alerts.yml"))).groups;
  const { expr = "" } = group?.rules.find(({ alert }) => alert === "SwapdeskServiceFails") ?? {};
  const [, failed = ""] = /status=~"([^"]+)"/.exec(expr) ?? [];
  const statuses = [
    200,
    301,
    400,
    401,
    404,
    429,
    500,
    503,
    "not-found",
    "timeout",
    "unreachable",
    "unreadable",
  ] as const;
  const counted = statuses.map((status) => {
    const health = createHealth({ now: () => 0, monotonic: () => 0 });
    health.note({ service: "node", status });
    return health.read().some(({ failures }) => failures > 0);
  });
  expect(statuses.map((status) => new RegExp(`^(?:${failed})$`).test(String(status)))).toEqual(counted);
});

interface LockFile {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly license?: string }>>;
}

it("installs only packages with permissive licences", () => {
  const { packages } = JSON.parse(read("package-lock.json")) as LockFile;
  const permissive = /^(MIT|ISC|Apache-2\.0|BSD-[23]-Clause|0BSD|BlueOak-1\.0\.0|Python-2\.0)$/;
  // Used unchanged: MPL requires only changes to be published, and OFL only forbids selling the font on its own.
  const unchanged = /^node_modules\/@(?:resvg\/resvg-js(?:-[a-z0-9-]+)?|expo-google-fonts\/inter)$/;
  const terms = /^(?:MPL-2\.0|MIT AND OFL-1\.1)$/;
  const others = Object.entries(packages).filter(
    ([path, { dev, license }]) =>
      path !== "" &&
      dev !== true &&
      !permissive.test(license ?? "") &&
      !(unchanged.test(path) && terms.test(license ?? "")),
  );
  expect(others.map(([path, { license }]) => `${path}: ${license}`)).toEqual([]);
});

import tseslint from "typescript-eslint";

/** Modules in which an amount can appear: no floating point may enter them. */
const moneyModules = ["src/encoding/**/*.ts", "src/services/**/*.ts", "src/conversations/**/*.ts", "src/cards/**/*.ts"];

const noFloatingPoint = [
  {
    selector: "CallExpression[callee.name=/^(Number|parseFloat|parseInt)$/]",
    message: "Amounts are bigint. Use src/encoding/amount.ts.",
  },
  {
    selector: "CallExpression[callee.object.name='Number'][callee.property.name=/^parse/]",
    message: "Amounts are bigint. Use src/encoding/amount.ts.",
  },
  {
    selector: "UnaryExpression[operator='+']",
    message: "Unary plus makes a floating-point number. Use src/encoding/amount.ts.",
  },
];

const OPERATOR = "/^([-+*%\\/]|\\*\\*|[<>]=?|[!=]==?)$/";

/** Units lose their token as soon as they are reckoned with, so that happens in one place only. */
const noBareUnits = ["MemberExpression", "ChainExpression > MemberExpression"].map((units) => ({
  selector: `BinaryExpression[operator=${OPERATOR}] > ${units}[property.name='units']`,
  message: "Units are added and compared with their token: use src/encoding/amount.ts.",
}));

export default tseslint.config(
  { ignores: ["dist", ".generated", "coverage", "bench", "node_modules"] },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "@typescript-eslint/no-floating-promises": "error",
      // A number in a template is as readable as its String(); bigint is printed whole.
      "@typescript-eslint/restrict-template-expressions": [
        "error",
        { allowNumber: true, allow: [{ from: "lib", name: "BigInt" }] },
      ],
      // `void promise` in an arrow that is an event listener says what is meant.
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "no-console": "error",
    },
  },
  { files: ["src/**/*.ts"], rules: { "no-restricted-syntax": ["error", ...noBareUnits] } },
  { files: moneyModules, rules: { "no-restricted-syntax": ["error", ...noFloatingPoint, ...noBareUnits] } },
  // Where amounts are made, and where routes are searched among bare numbers.
  {
    files: ["src/encoding/**/*.ts", "src/services/routes/{amm,search}.ts"],
    rules: { "no-restricted-syntax": ["error", ...noFloatingPoint] },
  },
  // Tests assert the presence of what they just arranged; a wrong assumption fails the test.
  {
    files: ["test/**/*.ts"],
    rules: { "@typescript-eslint/no-non-null-assertion": "off", "@typescript-eslint/require-await": "off" },
  },
  { files: ["**/*.js", "**/*.mjs"], ...tseslint.configs.disableTypeChecked },
);

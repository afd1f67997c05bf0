// Lint rules for modules that handle amounts.
const AMOUNTS = "Amounts are bigint. Use src/encoding/amount.ts.";
const parsers = new Set(["Number", "parseFloat", "parseInt"]);
const reckoning = /^([-+*%/]|\*\*|[<>]=?|[!=]==?)$/;

/** Nothing may turn an amount into a floating-point number. */
const noFloatingPoint = {
  create: (context) => ({
    CallExpression(node) {
      const { callee } = node;
      const isParser = callee.type === "Identifier" && parsers.has(callee.name);
      const isNumberParse =
        callee.type === "MemberExpression" && callee.object.name === "Number" && /^parse/.test(callee.property.name);
      if (isParser || isNumberParse) context.report({ node, message: AMOUNTS });
    },
    UnaryExpression(node) {
      if (node.operator === "+")
        context.report({ node, message: `Unary plus makes a floating-point number. ${AMOUNTS}` });
    },
  }),
};

/** Arithmetic on bare units loses their token, so it is allowed in one place only. */
const noBareUnits = {
  create: (context) => ({
    BinaryExpression(node) {
      const isUnits = (side) => {
        const member = side.type === "ChainExpression" ? side.expression : side;
        return member.type === "MemberExpression" && member.property.name === "units";
      };
      if (reckoning.test(node.operator) && (isUnits(node.left) || isUnits(node.right)))
        context.report({ node, message: "Units are added and compared with their token: use src/encoding/amount.ts." });
    },
  }),
};

export default {
  meta: { name: "money" },
  rules: { "no-floating-point": noFloatingPoint, "no-bare-units": noBareUnits },
};

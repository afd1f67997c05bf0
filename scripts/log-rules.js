// Lint rule for log lines: fields first, then the event in words; an error is always in `err`.
const levels = new Set(["trace", "debug", "info", "warn", "error", "fatal"]);
const errors = /^(err|error|fault|failure|reason|cause|exception)$/;
const event = /^[A-Z].*[^.]$/;

const oneStyle = {
  create: (context) => ({
    CallExpression({ callee, arguments: [first, second] }) {
      if (callee.type !== "MemberExpression" || !levels.has(callee.property.name)) return;
      const { object } = callee;
      if ((object.type === "MemberExpression" ? object.property.name : object.name) !== "log") return;
      const report = (node, message) => context.report({ node, message });
      for (const { type, key, value } of first?.type === "ObjectExpression" ? first.properties : []) {
        if (type !== "Property" || key.name === "err") continue;
        if (errors.test(key.name) || errors.test(value.name)) report(key, "The error of a log line is in `err`.");
      }
      const words = first?.type === "Literal" ? first : second;
      if (words === undefined) report(callee, "A log line names its event.");
      else if (words.type === "Literal" && !event.test(words.value))
        report(words, "An event begins with a capital and has no full stop.");
    },
  }),
};

export default { meta: { name: "log" }, rules: { "one-style": oneStyle } };

/** Greater numbers in a comparison are thresholds; these count neighbours, halves and pairs. */
const MOST_PLAIN = 2;

const RELATIONS = new Set(["<", "<=", ">", ">="]);
const LIMITS = new Set(["min", "max"]);

/**
 * The value of an expression of number literals and of the file's own constants; undefined where it holds anything
 * else.
 */
function valueOf(node, constants) {
  switch (node?.type) {
    case "Literal":
      return typeof node.value === "number" ? node.value : undefined;
    case "Identifier":
      return constants.get(node.name);
    case "UnaryExpression":
      return node.operator === "-" ? negated(valueOf(node.argument, constants)) : undefined;
    case "BinaryExpression":
      return combined(node.operator, valueOf(node.left, constants), valueOf(node.right, constants));
    case "TSAsExpression":
    case "TSSatisfiesExpression":
      return valueOf(node.expression, constants);
    default:
      return undefined;
  }
}

const negated = (value) => (value === undefined ? undefined : -value);

const OPERATORS = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => a / b,
  "**": (a, b) => a ** b,
};

const combined = (operator, a, b) => (a === undefined || b === undefined ? undefined : OPERATORS[operator]?.(a, b));

/**
 * The greatest number in an operand: its value, or, beside what is known only when it runs, that of a factor or a term.
 */
function greatestIn(node, constants) {
  const value = valueOf(node, constants);
  if (value !== undefined) return Math.abs(value);
  if (node.type !== "BinaryExpression" || !(node.operator in OPERATORS)) return 0;
  return Math.max(greatestIn(node.left, constants), greatestIn(node.right, constants));
}

const isLimit = ({ callee }) =>
  callee.type === "MemberExpression" && callee.object.name === "Math" && LIMITS.has(callee.property.name);

/**
 * Numbers that a file exports, or compares with: thresholds belong to a rule, what a processor does to its description.
 */
export default {
  meta: {
    type: "suggestion",
    messages: {
      compared: "threshold {{value}}: expected in a rule or a target, which says why and by how much",
      exported: "constant {{name}}: expected in a rule, a target, or a list of facts (widths, pages, cache lines)",
    },
    schema: [],
  },
  create(context) {
    const constants = new Map();
    const check = (node) => {
      const value = greatestIn(node, constants);
      if (value > MOST_PLAIN) context.report({ node, messageId: "compared", data: { value } });
    };
    const remember = ({ id, init }) => {
      const value = valueOf(init, constants);
      if (value !== undefined && id.type === "Identifier") constants.set(id.name, value);
      return value;
    };
    return {
      Program({ body }) {
        for (const statement of body) {
          const isExported = statement.type === "ExportNamedDeclaration";
          const declaration = isExported ? statement.declaration : statement;
          if (declaration?.type !== "VariableDeclaration") continue;
          for (const declarator of declaration.declarations) {
            const value = remember(declarator);
            if (value !== undefined && isExported)
              context.report({ node: declarator, messageId: "exported", data: { name: declarator.id.name } });
          }
        }
      },
      BinaryExpression({ operator, left, right }) {
        if (!RELATIONS.has(operator)) return;
        check(left);
        check(right);
      },
      CallExpression(node) {
        if (isLimit(node)) node.arguments.forEach(check);
      },
    };
  },
};

// The places of a source file where one small change makes another program: an operator, a constant, a condition, a
// statement.
import ts from "typescript";

const K = ts.SyntaxKind;

/** An operator, and what a tired author might have written instead. */
const OPERATORS = new Map([
  [K.PlusToken, ["-"]],
  [K.MinusToken, ["+"]],
  [K.AsteriskToken, ["/", "+"]],
  [K.SlashToken, ["*"]],
  [K.PercentToken, ["*"]],
  [K.LessThanToken, ["<=", ">"]],
  [K.LessThanEqualsToken, ["<", ">"]],
  [K.GreaterThanToken, [">=", "<"]],
  [K.GreaterThanEqualsToken, [">", "<"]],
  [K.EqualsEqualsEqualsToken, ["!=="]],
  [K.ExclamationEqualsEqualsToken, ["==="]],
  [K.AmpersandAmpersandToken, ["||"]],
  [K.BarBarToken, ["&&"]],
  [K.AmpersandToken, ["|"]],
  [K.BarToken, ["&"]],
  [K.LessThanLessThanToken, [">>"]],
  [K.GreaterThanGreaterThanToken, ["<<"]],
  [K.PlusEqualsToken, ["-=", "="]],
  [K.MinusEqualsToken, ["+="]],
]);

const CALLS = new Map([
  ["Math.min", "Math.max"],
  ["Math.max", "Math.min"],
  ["Math.floor", "Math.ceil"],
  ["Math.ceil", "Math.floor"],
]);

/** Every change of a source text: `{ start, end, text }` replaces [start, end); those of one place have one start. */
export function mutationsOf(path, source) {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const found = [];
  const replace = (node, ...texts) => {
    const [start, end] = [node.getStart(file), node.getEnd()];
    for (const text of texts) if (source.slice(start, end) !== text) found.push({ start, end, text });
  };
  const visit = (node) => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isThrowStatement(node)) return;
    if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    changesOf(node, replace, file);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function changesOf(node, replace, file) {
  if (ts.isBinaryExpression(node) && OPERATORS.has(node.operatorToken.kind)) {
    replace(node.operatorToken, ...OPERATORS.get(node.operatorToken.kind));
  } else if (ts.isNumericLiteral(node)) {
    const value = Number(node.text);
    replace(node, ...(value > 0 ? [String(value + 1), String(value - 1)] : ["1"]));
  } else if (ts.isPrefixUnaryExpression(node) && [K.ExclamationToken, K.MinusToken].includes(node.operator)) {
    replace(node, `(${node.operand.getText(file)})`);
  } else if (ts.isIfStatement(node)) {
    replace(node.expression, "true", "false");
  } else if (ts.isConditionalExpression(node)) {
    replace(node.condition, "true", "false");
  } else if (node.kind === K.TrueKeyword || node.kind === K.FalseKeyword) {
    replace(node, node.kind === K.TrueKeyword ? "false" : "true");
  } else if (ts.isCallExpression(node) && CALLS.has(node.expression.getText(file))) {
    replace(node.expression, CALLS.get(node.expression.getText(file)));
  } else if (ts.isExpressionStatement(node) && !ts.isBinaryExpression(node.expression)) {
    replace(node, ";");
  }
}

import ts from 'typescript'

/** Mutant: a source with one small fault. The text from `start` to `end` is replaced. */
export interface Mutant {
  /** Path of the file in the repository. */
  readonly path: string
  /** Line of the fault, counted from 1. */
  readonly line: number
  readonly start: number
  readonly end: number
  /** Original text. */
  readonly before: string
  /** Text that replaces the original. */
  readonly after: string
}

/** Part of the source, with a possible replacement. */
type Change = readonly [place: ts.Node, after: string]

/** Replacements of operators. Addition stays if its operands may be texts. */
const OPERATORS: Readonly<Partial<Record<ts.SyntaxKind, string>>> = {
  [ts.SyntaxKind.LessThanToken]: '<=',
  [ts.SyntaxKind.LessThanEqualsToken]: '<',
  [ts.SyntaxKind.GreaterThanToken]: '>=',
  [ts.SyntaxKind.GreaterThanEqualsToken]: '>',
  [ts.SyntaxKind.EqualsEqualsEqualsToken]: '!==',
  [ts.SyntaxKind.ExclamationEqualsEqualsToken]: '===',
  [ts.SyntaxKind.AmpersandAmpersandToken]: '||',
  [ts.SyntaxKind.BarBarToken]: '&&',
  [ts.SyntaxKind.QuestionQuestionToken]: '&&',
  [ts.SyntaxKind.MinusToken]: '+',
  [ts.SyntaxKind.AsteriskToken]: '/',
  [ts.SyntaxKind.SlashToken]: '*',
  [ts.SyntaxKind.PercentToken]: '*',
}

/**
 * Returns every mutant of a source, in order: changed operators, conditions, statements and
 * compared words.
 */
export function mutantsOf(path: string, source: string): readonly Mutant[] {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true)
  const changes: Change[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node))
      return
    changes.push(...changesOf(node))
    node.forEachChild(visit)
  }
  visit(file)
  return changes.map(([place, after]) => {
    const start = place.getStart(file)
    const line = file.getLineAndCharacterOfPosition(start).line + 1
    return { path, line, start, end: place.end, before: source.slice(start, place.end), after }
  })
}

function changesOf(node: ts.Node): Change[] {
  if (ts.isBinaryExpression(node)) return [...operatorOf(node), ...wordOf(node)]
  if (ts.isIfStatement(node) || ts.isWhileStatement(node)) return [negated(node.expression)]
  if (ts.isConditionalExpression(node)) return [negated(node.condition)]
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
    return [[node, `(${node.operand.getText()})`]]
  if (ts.isExpressionStatement(node) || ts.isThrowStatement(node)) return [[node, ';']]
  if (node.kind === ts.SyntaxKind.TrueKeyword) return [[node, 'false']]
  if (node.kind === ts.SyntaxKind.FalseKeyword) return [[node, 'true']]
  return []
}

const negated = (condition: ts.Expression): Change => [condition, `!(${condition.getText()})`]

function operatorOf({ operatorToken }: ts.BinaryExpression): Change[] {
  const after = OPERATORS[operatorToken.kind]
  return after === undefined ? [] : [[operatorToken, after]]
}

const EQUALITY: readonly ts.SyntaxKind[] = [
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
]

/**
 * Returns the change of a word in a comparison. Other texts are messages for people, or the
 * compiler would reject their mutants.
 */
const wordOf = ({ operatorToken, right }: ts.BinaryExpression): Change[] =>
  EQUALITY.includes(operatorToken.kind) && ts.isStringLiteral(right) && right.text !== ''
    ? [[right, "''"]]
    : []

/** Returns the source with the fault. */
export const mutated = (source: string, { start, end, after }: Mutant): string =>
  source.slice(0, start) + after + source.slice(end)

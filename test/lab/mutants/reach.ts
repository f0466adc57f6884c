import { createHash } from 'node:crypto'
import ts from 'typescript'

/** Block of a source: code in braces, or a branch without braces. */
export interface Block {
  readonly start: number
  readonly end: number
  readonly form: Form
}

/** Code that records a reached block: the text after its start, and at its end. */
type Form = keyof typeof FORMS

const FORMS = {
  braces: { skip: 1, begin: (said: string) => `${said};`, end: '' },
  statements: { skip: 0, begin: (said: string) => `${said};`, end: '' },
  statement: { skip: 0, begin: (said: string) => `{${said};`, end: '}' },
  expression: { skip: 0, begin: (said: string) => `(${said},(`, end: '))' },
} as const

const LOGICAL: readonly ts.SyntaxKind[] = [
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.QuestionQuestionToken,
]

/** Returns the nodes inside a node that are blocks of their own. */
function branchesOf(node: ts.Node): readonly (ts.Node | undefined)[] {
  if (ts.isBlock(node)) return [node]
  if (ts.isArrowFunction(node)) return [node.body]
  if (ts.isIfStatement(node)) return [node.thenStatement, node.elseStatement]
  if (ts.isIterationStatement(node, false)) return [node.statement]
  if (ts.isConditionalExpression(node)) return [node.whenTrue, node.whenFalse]
  if (ts.isBinaryExpression(node) && LOGICAL.includes(node.operatorToken.kind)) return [node.right]
  return []
}

/**
 * Returns every block of a source, in order. Code outside of all blocks runs when the file is
 * loaded.
 */
export function blocksOf(path: string, source: string): readonly Block[] {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true)
  const blocks = new Map<ts.Node, Block>()
  const add = (node: ts.Node, end: number, form: Form) =>
    blocks.set(node, { start: node.getStart(file), end, form })
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node)) return
    for (const branch of branchesOf(node)) {
      if (branch === undefined) continue
      const form = ts.isBlock(branch)
        ? 'braces'
        : ts.isStatement(branch)
          ? 'statement'
          : 'expression'
      add(branch, branch.end, form)
    }
    const [first] = ts.isCaseOrDefaultClause(node) ? node.statements : []
    if (first) add(first, node.end, 'statements')
    node.forEachChild(visit)
  }
  visit(file)
  return [...blocks.values()].toSorted(
    (one, other) => one.start - other.start || other.end - one.end,
  )
}

/** Returns the number of the innermost block around a position; -1 if there is none. */
export const blockAt = (blocks: readonly Block[], place: number): number =>
  // Blocks are in the order of their starts, so the last one around a place is the innermost.
  blocks.findLastIndex(({ start, end }) => start <= place && place < end)

/** Returns the name of a block, which changes with the source. */
export const blockName = (path: string, source: string, number: number): string =>
  `${path}#${createHash('sha256').update(source).digest('hex').slice(0, 8)}#${number};`

/** Returns the source with a statement in each block that adds its name to `globalThis.reached`. */
export const watched = (path: string, source: string): string =>
  noting(
    source,
    blocksOf(path, source),
    (number) => `globalThis.reached?.add('${blockName(path, source, number)}')`,
  )

/**
 * Returns the source with an added statement in each block.
 * @param said returns the statement for the number of a block
 */
function noting(
  source: string,
  blocks: readonly Block[],
  said: (number: number) => string,
): string {
  // If several blocks end at one position, the inner ones end first, and all of them end before
  // another block begins.
  const insertions = [
    ...blocks.toReversed().map(({ end, form }) => ({ at: end, text: FORMS[form].end })),
    ...blocks.map(({ start, form }, number) => ({
      at: start + FORMS[form].skip,
      text: FORMS[form].begin(said(number)),
    })),
  ]
  return insertions
    .toSorted((one, other) => one.at - other.at)
    .reduceRight((text, { at, text: added }) => text.slice(0, at) + added + text.slice(at), source)
}

import ts from 'typescript'
import type { Source } from './facts.ts'

/** Regular expression in the sources. */
export interface Expression {
  /** Source text of the literal, for example `/a+/g`. */
  readonly written: string
  readonly pattern: string
  readonly flags: string
}

/** Regular expressions of a source file: literals, and the code that creates others at run time. */
export interface Expressions {
  readonly written: readonly Expression[]
  readonly made: readonly string[]
}

/**
 * Finds every regular expression of a source file by its syntax, so not in comments and strings.
 */
export function expressionsOf({ path, text }: Source): Expressions {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest)
  const written: Expression[] = []
  const made: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/')
      written.push({
        written: node.text,
        pattern: node.text.slice(1, end),
        flags: node.text.slice(end + 1),
      })
    }
    if (
      (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
      node.expression.getText(file) === 'RegExp'
    )
      made.push(node.arguments?.[0]?.getText(file) ?? '')
    ts.forEachChild(node, visit)
  }
  visit(file)
  return { written, made }
}

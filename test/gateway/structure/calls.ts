import ts from 'typescript'
import { moduleOf } from './layers.ts'

/** The name under which each function tells that it is called: see `climbs-of.ts`. */
export const CALLED = '__called'

/**
 * A source whose functions, nameless ones too, run their bodies by `__called(module, name, body)`. Constructors and
 * generators are left as they are: a body of theirs could not be moved.
 */
export function tellingCalls(path: string, text: string): string {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const inserted: { readonly at: number; readonly text: string }[] = []
  const module = moduleOf(path)
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body && isMovable(node)) {
      const name = `${path}:${file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1}`
      const isAsync =
        ts.canHaveModifiers(node) && node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword)
      const call = `${CALLED}(${JSON.stringify(module)}, ${JSON.stringify(name)}, ${isAsync ? 'async ' : ''}() =>`
      const [open, close] = ts.isBlock(node.body) ? [`{ return ${call} `, ') }'] : [`${call} (`, '))']
      inserted.push({ at: node.body.getStart(file), text: open }, { at: node.body.getEnd(), text: close })
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  // From the end, so that what is ahead stays where it is; of two at one place the inner function's is put in last.
  return inserted
    .map((each, order) => ({ ...each, order }))
    .sort((one, other) => other.at - one.at || one.order - other.order)
    .reduce((told, { at, text: more }) => told.slice(0, at) + more + told.slice(at), text)
}

const isMovable = (node: ts.SignatureDeclaration): boolean =>
  !ts.isConstructorDeclaration(node) && !('asteriskToken' in node && node.asteriskToken)

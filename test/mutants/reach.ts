import { createHash } from 'node:crypto'
import ts from 'typescript'

/** A part of a source that runs as a whole, as far as it goes: a body of a function, or a block in braces. */
export interface Block {
  readonly start: number
  readonly end: number
}

/** Every block of a source, in its order. What is in none of them runs when the source is loaded. */
export function blocksOf(path: string, source: string): readonly Block[] {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true)
  const blocks: Block[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isBlock(node)) blocks.push({ start: node.getStart(file), end: node.end })
    else if (ts.isArrowFunction(node) && !ts.isBlock(node.body))
      blocks.push({ start: node.body.getStart(file), end: node.body.end })
    node.forEachChild(visit)
  }
  visit(file)
  return blocks
}

/** The number of the innermost block around a place; -1 if there is none. */
export const blockAt = (blocks: readonly Block[], place: number): number =>
  // They are in the order of their beginnings: of those around a place the last is the innermost.
  blocks.findLastIndex(({ start, end }) => start <= place && place < end)

/** A block's name, which changes with the source. */
export const blockName = (path: string, source: string, number: number): string =>
  `${path}#${createHash('sha256').update(source).digest('hex').slice(0, 8)}#${number};`

/** The source, each block of which adds its name to `globalThis.reached` when it is run. */
export function watched(path: string, source: string): string {
  const insertions = blocksOf(path, source).flatMap(({ start, end }, number) => {
    const said = `globalThis.reached?.add('${blockName(path, source, number)}')`
    return source[start] === '{'
      ? [{ at: start + 1, text: `${said};` }]
      : [
          { at: start, text: `(${said},(` },
          { at: end, text: '))' },
        ]
  })
  return insertions
    .toSorted((one, other) => one.at - other.at)
    .reduceRight((text, { at, text: added }) => text.slice(0, at) + added + text.slice(at), source)
}

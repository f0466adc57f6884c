// @vitest-environment node
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, onTestFinished, test } from 'vitest'

const SDK = fileURLToPath(new URL('../../sdk/', import.meta.url))

/** What may be false, and is not undefined. */
const FALSE =
  ts.TypeFlags.Null |
  ts.TypeFlags.Any |
  ts.TypeFlags.Unknown |
  ts.TypeFlags.StringLike |
  ts.TypeFlags.NumberLike |
  ts.TypeFlags.BooleanLike |
  ts.TypeFlags.BigIntLike

/** Each `a?.b` whose `a` may be null, '', 0 or false: `a && a.b`, as which it is served, is that then. */
function doubtful(program: ts.Program, isLooked: (file: string) => boolean): string[] {
  const checker = program.getTypeChecker()
  const found: string[] = []
  const look = (node: ts.Node): void => {
    if (ts.isOptionalChain(node) && 'questionDotToken' in node && node.questionDotToken) {
      const type = checker.getTypeAtLocation(node.expression)
      const isFalse = (type.isUnion() ? type.types : [type]).some(({ flags }) => flags & FALSE)
      if (isFalse) found.push(node.getText())
    }
    ts.forEachChild(node, look)
  }
  for (const source of program.getSourceFiles()) if (isLooked(source.fileName)) look(source)
  return found.sort()
}

const programOf = (files: readonly string[], options: ts.CompilerOptions) =>
  ts.createProgram(files, { ...options, incremental: false, noEmit: true })

test('the served library asks by ?. for what is false only where it is not there, or where that is the same', () => {
  const { config } = ts.readConfigFile(join(SDK, 'tsconfig.json'), ts.sys.readFile)
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, SDK)
  const program = programOf(fileNames, options)
  expect(doubtful(program, (file) => file.startsWith(SDK) && !/\/(?:advice|dist)\//.test(file))).toEqual([
    // Each of these strings that is empty makes an empty one; null is as good as undefined to || behind it.
    'control.getAttribute(attribute)?.trim',
    "form.getAttribute('action')?.replace",
    // Looked at as true or false.
    'page?.closed',
    'submitter?.hasAttribute',
    'version?.split',
    'view?.page?.closed',
    'view?.page?.closed',
  ])
})

test('the check finds what may be false', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mondido-chains-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'x.ts')
  const names = { text: 'string', count: '0 | undefined', any: 'any', none: 'Has | null', has: 'Has | undefined' }
  const lines = Object.entries(names).map(([name, type]) => `declare const ${name}: ${type}\n${name}?.valueOf()`)
  writeFileSync(file, `interface Has { valueOf(): unknown }\n${lines.join('\n')}`)
  const found = doubtful(programOf([file], { strict: true, types: [], noLib: true }), (name) => name === file)
  expect(found).toEqual(['any?.valueOf', 'count?.valueOf', 'none?.valueOf', 'text?.valueOf'])
})

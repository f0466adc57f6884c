// @vitest-environment node
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'mondido-types-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs the compiler; gives what it objects to. */
function compile(...args: string[]): string {
  try {
    return execFileSync(join(root, 'node_modules/.bin/tsc'), args, { cwd: folder, encoding: 'utf8' })
  } catch (error) {
    return String(Object(error).stdout)
  }
}

beforeAll(() => {
  expect(compile('-p', join(root, 'sdk/tsconfig.types.json'), '--outDir', folder)).toBe('')
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  copyFileSync(join(root, 'sdk/index.d.cts'), join(folder, 'sdk/index.d.cts'))
}, 60_000)

test.for<[string, string, string[]]>([
  ['nodenext', './sdk/index.js', ['--module', 'nodenext']],
  ['bundler', './sdk/index.js', ['--module', 'esnext', '--moduleResolution', 'bundler']],
  [
    'node10',
    './sdk/index',
    ['--module', 'commonjs', '--moduleResolution', 'node10', '--esModuleInterop', '--ignoreDeprecations', '6.0'],
  ],
])(
  'a merchant’s page compiles against the published types, and its mistakes do not: %s',
  { timeout: 60_000 },
  ([name, path, settings]) => {
    const page = readFileSync(join(root, 'test/sdk/types/page.ts'), 'utf8').replace('../../../sdk/index.ts', path)
    writeFileSync(join(folder, `${name}.ts`), page)
    const all = [
      '--noEmit',
      '--strict',
      '--target',
      'es2022',
      '--types',
      'jquery',
      '--skipLibCheck',
      'false',
      ...settings,
    ]
    expect(compile(...all, `${name}.ts`)).toBe('')
  },
)

test('a CommonJS page has the same types', { timeout: 60_000 }, () => {
  const lines = [
    "import library = require('./sdk/index.cjs')",
    'const { createMondido, card, version } = library',
    "const options: library.MondidoOptions = { type: 'ajax' }",
    'export const state: library.MondidoState = createMondido(document.forms[0]!, options).state',
    'export const text: string | null = card.brand(version)',
    '// @ts-expect-error: there is no such option',
    'createMondido(document.forms[0]!, { sucess: 1 })',
  ]
  writeFileSync(join(folder, 'page.cts'), lines.join('\n'))
  const settings = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', '--types', 'jquery']
  expect(compile(...settings, '--skipLibCheck', 'false', 'page.cts')).toBe('')
})

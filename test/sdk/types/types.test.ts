// @vitest-environment node
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'mondido-types-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs a program on Node; gives what it has to say. */
function run(program: string, ...args: string[]): string {
  try {
    return execFileSync(process.execPath, [join(root, program), ...args], { cwd: folder, encoding: 'utf8' })
  } catch (error) {
    const { stdout, stderr } = Object(error)
    return `${stdout}${stderr}`
  }
}

beforeAll(() => {
  const emitted = run(
    'node_modules/typescript/bin/tsc',
    '-p',
    join(root, 'sdk/tsconfig.types.json'),
    '--outDir',
    folder,
  )
  expect(emitted).toBe('')
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  copyFileSync(join(root, 'sdk/index.d.cts'), join(folder, 'sdk/index.d.cts'))
}, 60_000)

/** Writes a folder of pages, with the options by which they are compiled. */
function write(name: string, settings: object, pages: Readonly<Record<string, string>>) {
  mkdirSync(join(folder, name))
  const options = { noEmit: true, strict: true, target: 'es2022', types: ['jquery'], ...settings }
  for (const [file, text] of Object.entries({ ...pages, 'options.json': JSON.stringify(options) }))
    writeFileSync(join(folder, name, file), text)
}

const PAGE = readFileSync(join(root, 'test/sdk/types/page.ts'), 'utf8')
const pageOf = (path: string) => ({ 'page.ts': PAGE.replace('../../../sdk/index.ts', path) })

const CJS_PAGE = [
  "import library = require('../sdk/index.cjs')",
  'const { createMondido, card, version } = library',
  "const options: library.MondidoOptions = { type: 'ajax' }",
  'export const state: library.MondidoState = createMondido(document.forms[0]!, options).state',
  'export const text: string | null = card.brand(version)',
  '// @ts-expect-error: there is no such option',
  'createMondido(document.forms[0]!, { sucess: 1 })',
].join('\n')

const NODE10 = { module: 'commonjs', moduleResolution: 'node10', esModuleInterop: true, ignoreDeprecations: '6.0' }

/** Settings and pages for each way in which TypeScript looks for the library. */
const RESOLUTIONS = {
  nodenext: [{ module: 'nodenext' }, { ...pageOf('../sdk/index.js'), 'page.cts': CJS_PAGE }],
  bundler: [{ module: 'esnext', moduleResolution: 'bundler' }, pageOf('../sdk/index.js')],
  node10: [NODE10, pageOf('../sdk/index')],
} as const

test('a merchant’s page compiles against the published types, and its mistakes do not, whichever way they are found', () => {
  for (const [name, [settings, pages]] of Object.entries(RESOLUTIONS)) write(name, settings, pages)
  expect(run('test/helpers/check-types.ts', 'sdk', ...Object.keys(RESOLUTIONS))).toBe('')
}, 60_000)

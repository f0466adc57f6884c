// @vitest-environment node
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'mondido-types-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs a program on Node, and returns its output. */
function run(program: string, ...args: string[]): string {
  try {
    return execFileSync(process.execPath, [join(root, program), ...args], {
      cwd: folder,
      encoding: 'utf8',
    })
  } catch (error) {
    const { stdout, stderr } = Object(error)
    return `${stdout}${stderr}`
  }
}

beforeAll(() => {
  const flags = ['--declaration', '--emitDeclarationOnly', '--outDir', join(folder, 'sdk')]
  const project = ['-p', join(root, 'sdk/tsconfig.build.json')]
  expect(run('node_modules/typescript/bin/tsc', ...project, ...flags)).toBe('')
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  copyFileSync(join(root, 'sdk/index.d.cts'), join(folder, 'sdk/index.d.cts'))
})

/** Pages without jQuery's types: with a bundler, and with a script element. */
const WITHOUT_JQUERY = {
  'module.ts': [
    "import { createMondido, install, type MondidoJQueryEvent } from '../sdk/index.js'",
    'const form = document.forms[0]!',
    "createMondido(form, { type: 'ajax' }).submit()",
    "form.addEventListener('mondido:success', ({ detail }) => detail.payment_ref)",
    'declare const jQuery: JQueryStatic',
    'install(jQuery)',
    'export const isOurs = (event: MondidoJQueryEvent<Document>): boolean => event.target === form',
    '// @ts-expect-error: there is no such type of payment',
    "createMondido(form, { type: 'popup' })",
  ].join('\n'),
  'script.ts': [
    '/// <reference path="../sdk/index.d.ts" />',
    'declare function $(selector: string): JQuery<HTMLFormElement>',
    "$('#pay')",
    "  .mondido({ type: 'ajax' })",
    "  .on('payment:before', (event, { attempt }) => event.preventDefault() ?? event.waitUntil(fetch(attempt)))",
    "  .on('payment:success', (event, { status }) => [event.type, event.currentTarget.id, status])",
    "  .one('payment:fail', (event, { outcome }) => [event.mondido.state, outcome])",
    "  .mondido('submit')",
    '// @ts-expect-error: there is no such event',
    "$('#pay').on('payment:succes', () => undefined)",
  ].join('\n'),
}

/** Writes a folder of pages with their compiler options. */
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

const NODE10 = {
  module: 'commonjs',
  moduleResolution: 'node10',
  esModuleInterop: true,
  ignoreDeprecations: '6.0',
}

/** Settings and pages for each module resolution of TypeScript. */
const RESOLUTIONS = {
  nodenext: [{ module: 'nodenext' }, { ...pageOf('../sdk/index.js'), 'page.cts': CJS_PAGE }],
  bundler: [{ module: 'esnext', moduleResolution: 'bundler' }, pageOf('../sdk/index.js')],
  node10: [NODE10, pageOf('../sdk/index')],
  plain: [{ module: 'nodenext', types: [] }, WITHOUT_JQUERY],
} as const

test('a merchant’s page compiles with the published types, and mistakes do not, with every module resolution', () => {
  for (const [name, [settings, pages]] of Object.entries(RESOLUTIONS)) write(name, settings, pages)
  expect(run('test/helpers/check-types.ts', 'sdk', ...Object.keys(RESOLUTIONS))).toBe('')
})

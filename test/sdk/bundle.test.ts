import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { runInThisContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import jQuery from 'jquery'
import ts from 'typescript'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { builtPath, builtText, ensureBuild } from './helpers/build.ts'
import { createKeyPair, decryptValue } from './helpers/keys.ts'
import { addForm, attemptPayment, CARD_NUMBER, failPayment } from './helpers/shop.ts'
import { useStage } from './helpers/stage.ts'

const stage = useStage()
const require = createRequire(import.meta.url)
const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
beforeAll(ensureBuild)

/** Returns the script that the gateway serves to a page. */
const served = (
  file: 'mondido.js' | 'mondido.min.js' = 'mondido.min.js',
  config: object = stage.gateway.config,
) => `var __mondido_config=${JSON.stringify(config)};\n${builtText(file)}`

const runServed = (...given: Parameters<typeof served>) => runInThisContext(served(...given))

describe('the served file', () => {
  beforeEach(() => {
    jQuery.mondido.noConflict()
    vi.stubGlobal('jQuery', jQuery)
  })
  afterEach(() => {
    jQuery.mondido?.noConflict()
  })

  test('has at most 18,000 bytes when compressed, including the line for the merchant', () => {
    // Three origins of a realistic length.
    const [apiUrl, payUrl, cdnUrl] = ['api', 'pay', 'cdn'].map(
      (name) => `https://${name}.payments.staging.a-long-shop.com`,
    )
    const config = {
      ...stage.gateway.config,
      apiUrl,
      payUrl,
      cdnUrl,
      mpiUrl: `${payUrl}/v1/mpi_js`,
    }
    const size = gzipSync(served('mondido.min.js', config), { level: 9, memLevel: 7 }).length
    process.stdout.write(`mondido.js as served: ${size} bytes gzip\n`)
    expect(size).toBeLessThanOrEqual(18_000)
  })

  test.for(['mondido.js', 'mondido.min.js'] as const)('%s pays', async (file) => {
    runServed(file)
    const form = addForm()
    jQuery(form).mondido({ type: 'ajax' })
    expect(await attemptPayment(form)).toMatchObject({ transaction: { status: 'approved' } })
    expect(stage.gateway.decrypt(stage.gateway.payments[0]?.fields.get('card_number'))).toBe(
      CARD_NUMBER,
    )
    expect(stage.gateway.payments[0]?.fields.get('mondido_v')).toBe(version)
  })

  test('encrypts like the sources, for every length', () => {
    runServed()
    for (let length = 0; length <= 183; length += 3) {
      expect(stage.gateway.decrypt(jQuery.mondido.encrypt('x'.repeat(length)))).toBe(
        'x'.repeat(length),
      )
    }
  })

  test('encrypts with a key with the exponent 3', () => {
    runServed()
    const { publicKey, privateKey } = createKeyPair(2048, 3)
    expect(decryptValue(jQuery.mondido.encrypt('4111111111111111', publicKey), privateKey)).toBe(
      '4111111111111111',
    )
  })

  test('leaves only its global on the page, without its configuration', () => {
    const before = Object.getOwnPropertyNames(window)
    runServed()
    const added = Object.getOwnPropertyNames(window).filter((name) => !before.includes(name))
    expect(added.filter((name) => name !== '__mondido_config')).toEqual([])
    expect(Object(window).__mondido_config).toBeUndefined()
    expect('mondido' in window).toBe(false)
  })

  test('leaves no listener or timer on a loaded page', () => {
    const listen = vi.spyOn(window, 'addEventListener')
    const timer = vi.spyOn(globalThis, 'setTimeout')
    runServed()
    expect([listen.mock.calls, timer.mock.calls]).toEqual([[], []])
  })

  test('a file that is loaded again for another merchant warns and knows both merchants', async () => {
    runServed()
    runServed('mondido.min.js', { ...stage.gateway.config, merchantId: '2' })
    await vi.waitFor(
      () =>
        expect(stage.warnings).toEqual([
          [expect.stringContaining('page.two_merchants {"known":"1"')],
        ]),
      60_000,
    )
    const form = addForm({ fields: { merchant_id: '3' } })
    jQuery(form).mondido({ type: 'ajax' })
    expect(await failPayment(form)).toMatchObject({
      code: 'config.merchant_mismatch',
      category: 'integration',
    })
  })

  test.for<[string, object]>([
    ['Zepto in place of jQuery', { jQuery: undefined, Zepto: { fn: {} } }],
    ['a jQuery that is too old', { jQuery: { fn: { jquery: '1.7.2' } } }],
  ])('reports on the console with its code: %s', async ([, globals]) => {
    for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value)
    runServed()
    // The emulated browser cannot load modules from an address, so messages contain only the code.
    const told = expect.stringMatching(
      /^mondido\.js: integration\.\w+ .*http:\/\/gateway\.test\/docs#library-integration\./,
    )
    await vi.waitFor(() => expect(stage.errors).toEqual([[told]]), 60_000)
  })

  test('has a source map, but no reference to it for browsers', () => {
    expect(builtText('mondido.min.js').includes('sourceMappingURL')).toBe(false)
    expect(JSON.parse(builtText('mondido.min.js.map')).sources.join()).toContain('../form/mount.ts')
  })
})

describe.for([
  'mondido.js',
  'mondido.min.js',
  'umd/mondido.js',
  'mondido.cjs',
  'mondido.esm.js',
  'mondido-advice.js',
] as const)('%s', (file) => {
  test('contains its version and licence', () => {
    expect(builtText(file).split('\n')[0]).toBe(`/*! mondido-js ${version}, MIT */`)
  })

  test('has no syntax newer than ES2020', () => {
    const young: string[] = []
    const visit = (node: ts.Node): void => {
      if (isYoung(node)) young.push(node.getText().slice(0, 60))
      ts.forEachChild(node, visit)
    }
    visit(ts.createSourceFile(file, builtText(file), ts.ScriptTarget.Latest, true))
    expect(young).toEqual([])
  })

  test('contains no jQuery, creates no code from text and uses no weak randomness', () => {
    const unwanted = /jquery\.fn\.init|\beval\(|new Function|Math\.random|\.innerHTML|\.ajax\(/i
    expect(unwanted.exec(builtText(file))).toBeNull()
  })
})

/** Returns true for syntax of ES2021 and later, which a compiler could have left in the file. */
const isYoung = (node: ts.Node): boolean =>
  ts.isPropertyDeclaration(node) ||
  ts.isPrivateIdentifier(node) ||
  ts.isClassStaticBlockDeclaration(node) ||
  (ts.isNumericLiteral(node) && node.getText().includes('_')) ||
  [
    ts.SyntaxKind.BarBarEqualsToken,
    ts.SyntaxKind.AmpersandAmpersandEqualsToken,
    ts.SyntaxKind.QuestionQuestionEqualsToken,
  ].includes(node.kind)

describe('the files for require() and for scripts', () => {
  const code = () => builtText('umd/mondido.js')

  test('add the plugin to the jQuery of CommonJS', () => {
    const library = require(builtPath('mondido.cjs'))
    expect(library.version).toBe(version)
    const $ = require('jquery')
    expect(typeof $.fn.mondido).toBe('function')
    $.mondido.noConflict()
  })

  test('can be required without jQuery', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'mondido-')), 'mondido.cjs')
    copyFileSync(builtPath('mondido.cjs'), file)
    const library = require(file)
    expect([typeof library.createMondido, library.version]).toEqual(['function', version])
    rmSync(dirname(file), { recursive: true })
  })

  test('the files ask AMD for jQuery', () => {
    const define = Object.assign(vi.fn(), { amd: {} })
    vi.stubGlobal('define', define)
    runInThisContext(code())
    expect(define).toHaveBeenCalledWith(['exports', 'jquery'], expect.any(Function))
  })

  test('work as a plain script with the global jQuery, and do not change window.mondido', () => {
    jQuery.mondido.noConflict()
    vi.stubGlobal('jQuery', jQuery)
    runInThisContext(code())
    expect([typeof jQuery.fn.mondido, 'mondido' in window]).toEqual(['function', false])
    jQuery.mondido.noConflict()
    delete Object(globalThis).mondidoJs
  })
})

test('invariant 10: the ESM file can be imported without a document', () => {
  const program = `const { createMondido } = await import(${JSON.stringify(builtPath('mondido.esm.js'))}); console.log(typeof createMondido)`
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
  })
  expect(output.trim()).toBe('function')
})

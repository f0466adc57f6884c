import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import gateway from '../../../mock-gateway/package.json' with { type: 'json' }
import repository from '../../../package.json' with { type: 'json' }
import project from '../../../sdk/package.json' with { type: 'json' }
import { VERSION } from '../../../sdk/version.ts'
import { blocksOf, inRepository } from '../../helpers/documents.ts'
import { complaints, linkPackages, run, typeProblems, useShop } from './packed.ts'

const shop = useShop('mondido-js')

test('the package is built when it is packed, and contains only needed files', () => {
  const files = globSync('{LICENSE,**/*.*}', { cwd: shop.installed })
  expect(files.filter((path) => !/types.*(?<!index)\.d\.ts$/.test(path)).sort()).toEqual([
    'LICENSE',
    'README.md',
    'dist/integrity.json',
    'dist/mondido-advice.js',
    'dist/mondido.cjs',
    'dist/mondido.esm.js',
    'dist/mondido.js',
    'dist/mondido.min.js',
    'dist/mondido.min.js.map',
    'dist/mondido.react.js',
    'dist/types/index.d.cts',
    'dist/types/index.d.ts',
    'dist/umd/mondido.js',
    'dist/umd/package.json',
    'docs/reference/library-messages.md',
    'docs/reference/library.md',
    'package.json',
  ])
})

test('the package has the version of its constant, of the gateway’s package and of the repository', () =>
  expect([VERSION, gateway.version, repository.version]).toEqual(Array(3).fill(project.version)))

test('the package lists the hashes of the files that a page pins with `integrity`', async () => {
  const read = (name: string) => readFile(join(shop.installed, 'dist', name))
  const { version, files } = JSON.parse(String(await read('integrity.json')))
  expect([version, Object.keys(files)]).toEqual([VERSION, ['mondido-advice.js', 'mondido.min.js']])
  for (const [name, hash] of Object.entries(files))
    expect(hash).toBe(
      `sha384-${createHash('sha384')
        .update(await read(name))
        .digest('base64')}`,
    )
})

test('the package needs no other package and no specific Node', async () => {
  const { packages } = JSON.parse(await readFile(join(shop.folder, 'package-lock.json'), 'utf8'))
  expect(Object.keys(packages)).toEqual(['', 'node_modules/mondido-js'])
  for (const each of ['dependencies', 'engines', 'bin'])
    expect(packages['node_modules/mondido-js']).not.toHaveProperty(each)
})

test.each([
  ['import', 'library.mjs', "import { card, version } from 'mondido-js'"],
  ['require', 'library.cjs', "const { card, version } = require('mondido-js')"],
])('the library can be loaded as %s', async (_how, name, line) =>
  expect(await shop.runFile(name, `${line}\nconsole.log(version, typeof card)`)).toBe(
    `${project.version} object`,
  ),
)

/** Pages with their imports: a form that pays, or only the encryption. */
const PAGES = {
  all: `import { configure, createMondido } from 'mondido-js'
    configure({ merchantId: '1' })
    createMondido(document.querySelector('form'), { type: 'ajax' })`,
  some: "import { encrypt } from 'mondido-js'\nglobalThis.sealed = encrypt",
}

test('vite bundles the library for a page, and omits unused parts', async () => {
  const { build } = await import('vite')
  const sizes: number[] = []
  for (const [page, code] of Object.entries(PAGES)) {
    const entry = join(shop.folder, `${page}.js`)
    await writeFile(entry, code)
    const outDir = join(shop.folder, 'bundled')
    const lib = { entry, formats: ['es' as const], fileName: () => `${page}.js` }
    const output = { lib, outDir, emptyOutDir: false, minify: true }
    await build({ root: shop.folder, configFile: false, logLevel: 'silent', build: output })
    sizes.push((await readFile(join(outDir, `${page}.js`))).length)
  }
  const [all = 0, some = 0] = sizes
  expect(all).toBeGreaterThan(20_000)
  expect(some).toBeLessThan(10_000)
})

const PAGE = (await readFile(inRepository('test/sdk/types/page.ts'), 'utf8')).replace(
  '../../../sdk/index.ts',
  'mondido-js',
)

test('a merchant’s page compiles with the types of the package, and mistakes do not, with every module resolution', async () =>
  expect(await typeProblems(shop, 'library', PAGE)).toBe(''))

test('publint and attw report no problem', async () =>
  expect(await complaints(shop, ['./react CJSResolvesToESM'])).toEqual([]))

test('the page of docs/start/react-and-vite.md has no type errors in Vite’s template react-ts', async () => {
  const folder = join(shop.folder, 'react')
  await mkdir(join(folder, 'src'), { recursive: true })
  await linkPackages(shop.folder, ['react', '@types/react', 'vite'])
  for (const { code } of blocksOf('docs/start/react-and-vite.md'))
    if (code.startsWith('// src/'))
      await writeFile(join(folder, code.slice(3).split('\n')[0] ?? ''), code)
  // The options of tsconfig.app.json in Vite's template.
  const compilerOptions = {
    target: 'es2023',
    lib: ['ES2023', 'DOM', 'DOM.Iterable'],
    module: 'esnext',
    types: ['vite/client'],
    skipLibCheck: true,
    moduleResolution: 'bundler',
    allowImportingTsExtensions: true,
    verbatimModuleSyntax: true,
    moduleDetection: 'force',
    noEmit: true,
    jsx: 'react-jsx',
    strict: true,
    noUnusedLocals: true,
    noUnusedParameters: true,
    erasableSyntaxOnly: true,
    noFallthroughCasesInSwitch: true,
    noUncheckedSideEffectImports: true,
  }
  const options = JSON.stringify({ compilerOptions, include: ['src'] })
  await writeFile(join(folder, 'tsconfig.json'), options)
  const tsc = fileURLToPath(import.meta.resolve('typescript/bin/tsc'))
  const { stdout } = await run(process.execPath, [tsc, '-p', folder]).catch((error) => error)
  expect(stdout).toBe('')
})

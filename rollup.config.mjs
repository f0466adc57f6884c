import { copyFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import terser from '@rollup/plugin-terser'
import typescript from '@rollup/plugin-typescript'
import { build } from 'rolldown'
import { dts } from 'rollup-plugin-dts'
import { carryDocuments } from './build/carry-documents.ts'
import { integrityManifest } from './build/integrity.ts'
import gateway, { KIT } from './build/rolldown.config.mjs'

const { name, version, license } = JSON.parse(
  readFileSync(new URL('sdk/package.json', import.meta.url), 'utf8'),
)

/** First line of every output. */
const banner = `/*! ${name} ${version}, ${license} */`

/** Puts the package's version into the library. */
const packageVersion = () => ({
  name: 'package-version',
  load: (id) =>
    /[\\/]sdk[\\/]version\.ts$/.test(id)
      ? `export const VERSION = ${JSON.stringify(version)}`
      : null,
})

/**
 * JavaScript from TypeScript. It does not check the types: `npm run check` does, and a start waits
 * for this build.
 */
const compiled = () =>
  typescript({
    tsconfig: 'sdk/tsconfig.json',
    compilerOptions: {
      noCheck: true,
      noEmit: false,
      incremental: false,
      allowImportingTsExtensions: false,
    },
  })

/**
 * What only integrators need is in a file of its own, beside the others: loaded when somebody reads
 * along.
 */
const ADVISER = 'mondido-advice.js'
const isAdviser = (id) => /[\\/]advice-file\.[jt]s$/.test(id)

/** One entry of the browser library with its outputs. jQuery stays outside of all of them. */
const library = (entry, ...outputs) => ({
  input: `sdk/${entry}.ts`,
  external: (id, parent) => id === 'jquery' || (parent !== undefined && isAdviser(id)),
  plugins: [packageVersion(), compiled()],
  output: outputs.map((output) => ({
    banner,
    paths: (id) => (isAdviser(id) ? `./${ADVISER}` : id),
    ...output,
  })),
})

const minified = { plugins: [terser({ ecma: 2020, compress: { passes: 2 } })], sourcemap: 'hidden' }

/** It stands in a folder of its own, beside which the adviser is. */
const umd = {
  format: 'umd',
  name: 'mondidoJs',
  globals: { jquery: 'jQuery' },
  paths: (id) => (isAdviser(id) ? `../${ADVISER}` : id),
}

/** In a package of modules, a folder says for itself that what is in it is none. */
const plainScripts = () => ({
  name: 'plain-scripts',
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'package.json', source: '{ "type": "commonjs" }\n' })
  },
})

/** The declarations for require() go along: they say what those for import say. */
const cjsTypes = () => ({
  name: 'cjs-types',
  generateBundle() {
    const source = readFileSync(new URL('sdk/index.d.cts', import.meta.url))
    this.emitFile({ type: 'asset', fileName: 'index.d.cts', source })
  },
})

/**
 * The types of an entry, in one file: what people who use it see, and nothing that is behind it.
 * They are not looked at here: `npm run check` does.
 */
const types = (input, file, tsconfig, ...plugins) => ({
  input,
  external: (id) => !/^([./]|zod\b)/.test(id),
  // Types of settings follow from their schemas, and nobody who uses them need have zod.
  plugins: [
    ...plugins,
    dts({ tsconfig, includeExternal: ['zod'], compilerOptions: { noCheck: true } }),
  ],
  output: { file, format: 'es' },
})

/** What the gateway serves to browsers stands in its own package as well. */
const forGateway = () => ({
  name: 'for-gateway',
  writeBundle({ file }) {
    mkdirSync('mock-gateway/dist/library', { recursive: true })
    for (const name of [basename(file), 'integrity.json'])
      copyFileSync(join(dirname(file), name), join('mock-gateway/dist/library', name))
  },
})

const served = () => [
  library(
    'served',
    { file: 'sdk/dist/mondido.js', format: 'iife' },
    {
      file: 'sdk/dist/mondido.min.js',
      format: 'iife',
      ...minified,
      plugins: [...minified.plugins, integrityManifest(version), forGateway()],
    },
  ),
  library('advice/advice-file', {
    file: `sdk/dist/${ADVISER}`,
    format: 'es',
    plugins: [integrityManifest(version), forGateway()],
  }),
]

/** The package mondido-js. */
const modules = () => [
  library('umd', { file: 'sdk/dist/umd/mondido.js', ...umd, plugins: [plainScripts()] }),
  // As .cjs for require(), which takes a .js file of this package for a module.
  library('cjs', { file: 'sdk/dist/mondido.cjs', format: 'cjs', plugins: [cjsTypes()] }),
  library('index', { file: 'sdk/dist/mondido.esm.js', format: 'es' }),
  types(
    'sdk/index.ts',
    'sdk/dist/index.d.ts',
    'sdk/tsconfig.json',
    carryDocuments('sdk', ['LICENSE', 'docs/reference/library{,-messages}.md']),
  ),
]

/**
 * The package mondido-gateway. It is built by rolldown, which does in a second what takes rollup
 * ten.
 */
async function gatewayPackage() {
  // One after the other, because the last build lists the licences of all.
  for (const each of gateway) await build(each)
  const input = Object.fromEntries(
    ['gateway', ...KIT].map((name) => [name, `mock-gateway/${name}.ts`]),
  )
  // All at once: each alone would read the same sources again.
  const output = { dir: 'mock-gateway/dist', chunkFileNames: 'types/[name].d.ts', format: 'es' }
  return [{ ...types(input, '', 'tsconfig.json'), output }]
}

/** The folder of each package, and what is built into it. */
const PACKAGES = {
  library: ['sdk/dist', modules],
  gateway: ['mock-gateway/dist', gatewayPackage],
}

/**
 * Both packages; with `--configOnly library`, `gateway` or `served` one of them, or only what
 * browsers are served.
 */
export default async ({ configOnly }) => {
  const built = Object.entries(PACKAGES).filter(
    ([name]) => configOnly === undefined || configOnly === name,
  )
  const all = []
  for (const [, [folder, steps]] of built) {
    rmSync(folder, { recursive: true, force: true })
    all.push(...(await steps()))
  }
  return [...served(), ...all]
}

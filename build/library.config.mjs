import { copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { carryDocuments } from './carry-documents.ts'
import { integrityManifest } from './integrity.ts'

const { name, version, license } = JSON.parse(
  readFileSync(new URL('../sdk/package.json', import.meta.url), 'utf8'),
)

/** Puts the package's version into the library. */
const packageVersion = {
  name: 'package-version',
  load: (id) =>
    /[\\/]sdk[\\/]version\.ts$/.test(id)
      ? `export const VERSION = ${JSON.stringify(version)}`
      : null,
}

/** File with the checks and explanations for integrators, which the library loads on demand. */
const ADVICE_FILE = 'mondido-advice.js'
const isAdvice = (id) => /[\\/]advice-file\.[jt]s$/.test(id)

/**
 * Puts the directive into the function of a script. Rolldown would put it at the top of the file,
 * where it would also apply to scripts that a shop appends to the file.
 */
const STRICT = { strict: false, intro: "'use strict';" }

/** Build of one entry into one file. jQuery and the advice are not part of any other file. */
const library = (entry, file, output, ...plugins) => ({
  input: `sdk/${entry}.ts`,
  external: (id, importer) => id === 'jquery' || (importer !== undefined && isAdvice(id)),
  // Browsers of 2020 run the library.
  transform: { target: 'es2020' },
  plugins: [packageVersion, ...plugins],
  output: {
    file: `sdk/dist/${file}`,
    ...(output.format !== 'es' && STRICT),
    // First line of every output, also of a minified one.
    postBanner: `/*! ${name} ${version}, ${license} */`,
    // The exports of a build for require() and of the script are plain objects.
    generatedCode: { symbols: false },
    paths: (id) => (isAdvice(id) ? `./${ADVICE_FILE}` : id),
    ...output,
  },
})

/** Marks the folder of the script as CommonJS, because the package itself contains modules. */
const plainScripts = {
  name: 'plain-scripts',
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'package.json', source: '{ "type": "commonjs" }\n' })
  },
}

/** Adds the types for `require()`, which are the types for `import`. */
const cjsTypes = {
  name: 'cjs-types',
  generateBundle() {
    const source = readFileSync(new URL('../sdk/index.d.cts', import.meta.url))
    this.emitFile({ type: 'asset', fileName: 'index.d.cts', source })
  },
}

/** Copies the files that the gateway serves into its package. */
const forGateway = {
  name: 'for-gateway',
  writeBundle({ file }) {
    mkdirSync('mock-gateway/dist/library', { recursive: true })
    for (const name of [basename(file), 'integrity.json'])
      copyFileSync(join(dirname(file), name), join('mock-gateway/dist/library', name))
  },
}

const served = [integrityManifest(version), forGateway]

/** The browser library: the files that the gateway serves, and the package mondido-js. */
export default [
  library(
    'index',
    'mondido.esm.js',
    { format: 'es' },
    carryDocuments('sdk', ['LICENSE', 'docs/reference/library{,-messages}.md']),
  ),
  library('served', 'mondido.js', { format: 'iife' }),
  library(
    'served',
    'mondido.min.js',
    { format: 'iife', minify: true, sourcemap: 'hidden' },
    ...served,
  ),
  library('advice/advice-file', ADVICE_FILE, { format: 'es' }, ...served),
  library(
    'umd',
    'umd/mondido.js',
    {
      format: 'umd',
      name: 'mondidoJs',
      globals: { jquery: 'jQuery' },
      paths: (id) => (isAdvice(id) ? `../${ADVICE_FILE}` : id),
    },
    plainScripts,
  ),
  // As .cjs for require(), because .js files of this package are modules.
  library('cjs', 'mondido.cjs', { format: 'cjs' }, cjsTypes),
]

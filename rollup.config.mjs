import { copyFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { basename } from 'node:path'
import terser from '@rollup/plugin-terser'
import { build } from 'rolldown'
import { dts } from 'rollup-plugin-dts'
import ts from 'typescript'
import gateway, { carry, KIT } from './rolldown.config.mjs'

const { name, version, license } = JSON.parse(readFileSync(new URL('sdk/package.json', import.meta.url), 'utf8'))

/** First line of every output. */
const banner = `/*! ${name} ${version}, ${license} */`

/** Puts the package's version into the library. */
const packageVersion = () => ({
  name: 'package-version',
  load: (id) => (/[\\/]sdk[\\/]version\.ts$/.test(id) ? `export const VERSION = ${JSON.stringify(version)}` : null),
})

/**
 * Says shorter what TypeScript makes of `?.`, `??` and `{ ...a, b }` for browsers of 2017. Nothing here is a `document.all`;
 * and whoever asks by `?.` takes null, '', 0 and false for undefined, for which they come out then (`optional-chains.test.ts`).
 */
const SHORTER = [
  [/ === null \|\| \w+ === void 0 \? void 0 : /g, ' && '],
  [/ ([!=])== null (?:&&|\|\|) (\w+) \1== void 0/g, ' $1= null'],
  [/Object\.assign\(Object\.assign\(\{\}, ([\w.]+)\), /g, 'Object.assign({}, $1, '],
]

const { config } = ts.readConfigFile('sdk/tsconfig.json', ts.sys.readFile)
const { options } = ts.convertCompilerOptionsFromJson({ ...config.compilerOptions, sourceMap: true }, 'sdk')

/** JavaScript of each file by itself: a start waits for this. `npm run check` looks at the types. */
const transpiled = () => ({
  name: 'transpiled',
  transform(source, fileName) {
    if (!fileName.endsWith('.ts')) return null
    const { outputText, sourceMapText } = ts.transpileModule(source, { fileName, compilerOptions: options })
    const lines = outputText.replace(/^\/\/# sourceMappingURL=.*/m, '')
    return { code: SHORTER.reduce((rest, [long, short]) => rest.replace(long, short), lines), map: sourceMapText }
  },
})

/** What only integrators need is in a file of its own, beside the others: loaded when somebody reads along. */
const ADVISER = 'mondido-advice.js'
const isAdviser = (id) => /[\\/]advice[\\/]adviser\.[jt]s$/.test(id)

/** One entry of the browser library with its outputs. jQuery stays outside of all of them. */
const library = (entry, ...outputs) => ({
  input: `sdk/${entry}.ts`,
  external: (id, parent) => id === 'jquery' || (parent !== undefined && isAdviser(id)),
  plugins: [packageVersion(), transpiled()],
  output: outputs.map((output) => ({ banner, paths: (id) => (isAdviser(id) ? `./${ADVISER}` : id), ...output })),
})

/** Properties of the library that neither pages nor browsers nor jQuery know. */
const OWN_NAMES =
  'actions|ask|bank|config|configs|control|controller|details|drop|emit|exponent|extras|face|facts|failure|hasMarks|isExamined|isForeign|isForm|isGone|isKeyRight|isOver|isPrevented|isRenewed|isVisited|keyOf|kind|lastAttempt|lengths|listen|lock|modulus|mount|mounted|move|page|pause|plain|plugin|present|prevented|problems|receive|report|results|run|say|scope|secrets|sent|settings|shared|showError|showState|sinks|snapshot|starts|statusUrl|stopped|succeed|thrown|timer|told|tools|unlock|unnamed|unreadable|untilShut|visit|waits|why|wrong'

/** `let` for whatever is declared: the word is short, and what is declared one after the other needs it once. */
const oneWord = () => ({
  name: 'one-word',
  renderChunk: (code) => ({ code: code.replace(/\b(?:const|var) (?=[\w$[{])/g, 'let '), map: null }),
})

const minified = {
  plugins: [
    oneWord(),
    terser({
      ecma: 2017,
      // Letters of other alphabets need longer codes for all the others.
      format: { ascii_only: true },
      compress: {
        passes: 6,
        inline: 1,
        hoist_funs: true,
        lhs_constants: false,
        keep_fargs: false,
        unsafe_arrows: true,
      },
      // Some are names of browsers too, of objects that the library has nothing to do with.
      mangle: { properties: { builtins: true, regex: new RegExp(`^(${OWN_NAMES})$`) } },
    }),
  ],
  sourcemap: 'hidden',
}

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
 * The types of an entry, in one file: what people who use it see, and nothing that is behind it. They are not looked at here:
 * `npm run check` does.
 */
const types = (input, file, tsconfig, ...plugins) => ({
  input,
  external: (id) => !/^([./]|zod\b)/.test(id),
  // Types of settings follow from their schemas, and nobody who uses them need have zod.
  plugins: [...plugins, dts({ tsconfig, includeExternal: ['zod'], compilerOptions: { noCheck: true } })],
  output: { file, format: 'es' },
})

/** What the gateway serves to browsers stands in its own package as well. */
const forGateway = () => ({
  name: 'for-gateway',
  writeBundle({ file }) {
    mkdirSync('mock-gateway/dist/library', { recursive: true })
    copyFileSync(file, `mock-gateway/dist/library/${basename(file)}`)
  },
})

const served = () => [
  library(
    'served',
    { file: 'sdk/dist/mondido.js', format: 'iife' },
    { file: 'sdk/dist/mondido.min.js', format: 'iife', ...minified, plugins: [...minified.plugins, forGateway()] },
  ),
  library('advice/adviser', { file: `sdk/dist/${ADVISER}`, format: 'es', plugins: [forGateway()] }),
]

/** The package mondido-js. */
const modules = () => [
  library('umd', { file: 'sdk/dist/umd/mondido.js', ...umd, plugins: [plainScripts()] }),
  // As .cjs for require(), which takes a .js file of this package for a module.
  library('cjs', { file: 'sdk/dist/mondido.cjs', format: 'cjs', plugins: [cjsTypes()] }),
  library('index', { file: 'sdk/dist/mondido.esm.js', format: 'es' }),
  types('sdk/index.ts', 'sdk/dist/index.d.ts', 'sdk/tsconfig.json', carry('sdk', ['LICENSE', 'docs/library.md'])),
]

/** The package mondido-gateway. It is built by rolldown, which does in a second what takes rollup ten. */
async function gatewayPackage() {
  await build(gateway)
  const input = Object.fromEntries(['gateway', ...KIT].map((name) => [name, `mock-gateway/${name}.ts`]))
  // All at once: each alone would read the same sources again.
  const output = { dir: 'mock-gateway/dist', chunkFileNames: 'types/[name].d.ts', format: 'es' }
  return [{ ...types(input, '', 'tsconfig.json'), output }]
}

/** The folder of each package, and what is built into it. */
const PACKAGES = {
  library: ['sdk/dist', modules],
  gateway: ['mock-gateway/dist', gatewayPackage],
}

/** Both packages; with `--configOnly library`, `gateway` or `served` one of them, or only what browsers are served. */
export default async ({ configOnly }) => {
  const built = Object.entries(PACKAGES).filter(([name]) => configOnly === undefined || configOnly === name)
  const all = []
  for (const [, [folder, steps]] of built) {
    rmSync(folder, { recursive: true, force: true })
    all.push(...(await steps()))
  }
  return [...served(), ...all]
}

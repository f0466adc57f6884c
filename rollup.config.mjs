import { globSync, readFileSync } from 'node:fs'
import commonjs from '@rollup/plugin-commonjs'
import nodeResolve from '@rollup/plugin-node-resolve'
import terser from '@rollup/plugin-terser'
import typescript from '@rollup/plugin-typescript'
import { dts } from 'rollup-plugin-dts'
import { parseContract } from './mock-gateway/web/docs/parse.ts'

const { name, version, license } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'))

/** First line of every output; the readable ones hold jsbn's licence in full. */
const banner = `/*! ${name} ${version}, ${license}; with jsbn, (c) 2003-2005 Tom Wu, see the licence in mondido.js */`

/** Puts the package's version into the library. */
const packageVersion = () => ({
  name: 'package-version',
  load: (id) => (/[\\/]sdk[\\/]version\.ts$/.test(id) ? `export const VERSION = ${JSON.stringify(version)}` : null),
})

/** What encrypting does not need of jsbn's first half: other radixes than 16, negative numbers, quotients, a quicker way
 * to square, and reduction modulo even numbers, which are no RSA keys (`readPublicKey` refuses them). */
const JSBN_CUTS = [
  [/if\("number" == typeof a\)[^\n]*\n[^\n]*\n\s*else (?=this\.fromString\(a,b\))/, ''],
  [/if\(b == 16\) k = 4;[^{}]*else \{ this\.fromRadix\(s,b\); return; \}/, 'k = 4;'],
  [/if\(this\.s < 0\) return "-"\+[^\n]*/, ''],
  [/if\(b == 16\) k = 4;[^{}]*else return this\.toRadix\(b\);/, 'k = 4;'],
  [/^\/\/ Modular reduction using "classic" algorithm[\s\S]*?^Classic\.prototype\.sqrTo = .*$/m, ''],
  [/if\(e < 256 \|\| m\.isEven\(\)\) z = new Classic\(m\); else /, ''],
  [/^BigInteger\.prototype\.isEven = .*$/m, ''],
  [/^BigInteger\.prototype\.bitLength = .*$/m, ''],
  [/^BigInteger\.prototype\.mod = .*$/m, ''],
  [/^BigInteger\.prototype\.squareTo = .*$/m, ''],
  [/^BigInteger\.prototype\.negate = .*$/m, ''],
  [/x\.squareTo\(r\); this\.reduce\(r\); \}\s+\/\/ r = "xy/, 'x.multiplyTo(x,r); this.reduce(r); }\n// r = "xy'],
  [/return \(this\.s<0\)\?this\.negate\(\):this;/, 'return this;'],
  [/if\(this\.s != a\.s\) BigInteger\.ZERO\.subTo\(r,r\);/, ''],
  [/if\(x\.s < 0 && r\.compareTo\(BigInteger\.ZERO\) > 0\) this\.m\.subTo\(r,r\);/, ''],
  [/if\(q != null\) q\.fromInt\(0\);\s+if\(r != null\) this/, 'this'],
  [/if\(q != null\) \{\s+r\.drShiftTo[^{}]*\}/, ''],
  [/if\(ts < 0\) BigInteger\.ZERO\.subTo\(r,r\);/, ''],
]

/** Makes a module of what encrypting needs of node-forge's jsbn: the first half of the file, less `JSBN_CUTS`. The second
 * is about private keys. */
const publicHalfOfJsbn = () => ({
  name: 'public-half-of-jsbn',
  transform(code, id) {
    if (!id.endsWith('jsbn.js')) return null
    const parts = /^([\s\S]*?)^var forge = .*\n+module\.exports = .*$([\s\S]*?)^\/\/ jsbn2 lib$/m.exec(code)
    const [, license, half] = parts ?? []
    const isKnown = parts && JSBN_CUTS.every(([cut]) => cut.test(half))
    if (!isKnown) this.error('jsbn.js looks different; is there a new version of node-forge?')
    const needed = JSBN_CUTS.reduce((rest, [cut, instead]) => rest.replace(cut, instead), half)
    return { code: license + needed.replace('forge.jsbn.BigInteger =', 'export default { BigInteger };//'), map: null }
  },
})

/** Says shorter what TypeScript makes of `??`, `?.` and `{ ...a, b }` for browsers of 2017. Nothing here is a `document.all`. */
const SHORTER = [
  [/ ([!=])== null (?:&&|\|\|) (\w+) \1== void 0/g, ' $1= null'],
  [/Object\.assign\(Object\.assign\(\{\}, ([\w.]+)\), /g, 'Object.assign({}, $1, '],
]
const shorter = () => ({
  name: 'shorter',
  transform: (code, id) =>
    id.endsWith('.ts')
      ? { code: SHORTER.reduce((rest, [long, short]) => rest.replace(long, short), code), map: null }
      : null,
})

/** One entry of the browser library with its outputs. jQuery stays outside of all of them. */
const library = (entry, ...outputs) => ({
  input: `sdk/${entry}.ts`,
  external: ['jquery'],
  plugins: [
    packageVersion(),
    publicHalfOfJsbn(),
    nodeResolve({ browser: true }),
    commonjs(),
    typescript({
      tsconfig: 'sdk/tsconfig.json',
      compilerOptions: { noEmit: false, rewriteRelativeImportExtensions: true, noEmitOnError: true },
    }),
    shorter(),
  ],
  output: outputs.map((output) => ({ banner, ...output })),
})

/** jsbn's own properties, which nobody else calls. */
const JSBN_NAMES =
  'am|DB|DM|DV|FV|F[12]|fromInt|fromString|copyTo|clamp|[dlr]{1,2}ShiftTo|subTo|multiplyTo|squareTo|divRemTo|invDigit|compareTo|convert|revert|mulTo|sqrTo|mp[lh]|um|mt2|modPowInt|negate|ZERO|ONE'

/** Properties of the library that neither pages nor browsers nor jQuery know. */
const OWN_NAMES =
  'configs|controller|details|explain|exponent|extras|hasMarks|isForeign|isOver|isPrevented|keyOf|modulus|problems|receive|secrets|settings|showError|showState|sinks|snapshot|statusUrl|unnamed|unreadable'

/** Every browser calls itself Netscape (HTML standard); jsbn's ways for others are left out. */
const minified = {
  plugins: [
    terser({
      ecma: 2017,
      compress: { passes: 3, hoist_funs: true, global_defs: { 'navigator.appName': 'Netscape' } },
      mangle: { properties: { regex: new RegExp(`^(${JSBN_NAMES}|${OWN_NAMES})$`) } },
    }),
  ],
  sourcemap: 'hidden',
}

const umd = { format: 'umd', name: 'mondidoJs', globals: { jquery: 'jQuery' } }

/** The declarations for require() go along: they say what those for import say. */
const cjsTypes = () => ({
  name: 'cjs-types',
  generateBundle() {
    const source = readFileSync(new URL('sdk/index.d.cts', import.meta.url))
    this.emitFile({ type: 'asset', fileName: 'index.d.cts', source })
  },
})

/** What the gateway reads while it runs goes along, at the same places: the contract, and the views of the pages; and
 * the launcher, which is not to be touched. */
const files = () => ({
  name: 'files',
  generateBundle() {
    for (const fileName of globSync(['launcher.cjs', 'web/**/*.{liquid,css}'], {
      cwd: 'mock-gateway',
    }))
      this.emitFile({ type: 'asset', fileName, source: readFileSync(`mock-gateway/${fileName}`) })
    const contract = parseContract(readFileSync('mock-gateway/contract/openapi.yaml', 'utf8'))
    this.emitFile({ type: 'asset', fileName: 'contract/openapi.json', source: JSON.stringify(contract) })
  },
})

/** The gateway for the published package; packages it depends on stay outside. */
const gateway = {
  input: { gateway: 'mock-gateway/gateway.ts', cli: 'mock-gateway/cli.ts' },
  external: (id) => !/^[./]/.test(id),
  plugins: [
    files(),
    typescript({
      tsconfig: 'tsconfig.json',
      include: ['mock-gateway/**'],
      compilerOptions: { noEmit: false, rewriteRelativeImportExtensions: true, noEmitOnError: true },
    }),
  ],
  output: { dir: 'dist', format: 'es', chunkFileNames: '[name].js' },
}

/** The types of an entry, in one file: what people who use it see, and nothing that is behind it. */
const types = (input, file, tsconfig) => ({
  input,
  external: (id) => !/^[./]/.test(id),
  plugins: [dts({ tsconfig })],
  output: { file, format: 'es' },
})

/** Everything the package holds; with `--configLibrary` only what the gateway serves to browsers. */
export default ({ configLibrary }) => {
  const served = library(
    'served',
    { file: 'dist/sdk/mondido.js', format: 'iife' },
    { file: 'dist/sdk/mondido.min.js', format: 'iife', ...minified },
  )
  if (configLibrary) return [served]
  return [
    served,
    library('umd', { file: 'dist/sdk/mondido.umd.js', ...umd }),
    // As .cjs for require(), which takes a .js file of this package for a module.
    library('cjs', { file: 'dist/sdk/mondido.cjs', format: 'cjs', plugins: [cjsTypes()] }),
    library('index', { file: 'dist/sdk/mondido.esm.js', format: 'es' }),
    gateway,
    types('mock-gateway/gateway.ts', 'dist/gateway.d.ts', 'tsconfig.json'),
    types('sdk/index.ts', 'dist/sdk/index.d.ts', 'sdk/tsconfig.json'),
  ]
}

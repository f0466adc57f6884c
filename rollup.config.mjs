import terser from '@rollup/plugin-terser'
import typescript from '@rollup/plugin-typescript'
import library from './sdk/package.json' with { type: 'json' }

const plugins = [typescript({ tsconfig: 'sdk/tsconfig.build.json' })]
// Arrow functions are safe: no code of the library calls a function of its own with `new`.
const minify = terser({ ecma: 2020, compress: { passes: 3, unsafe_arrows: true } })

/** First line of every file, also of the minified one. */
const banner = `/*! ${library.name} ${library.version}, ${library.license} */`

/** Not in the library: jQuery, and the advice for developers, a file that it loads on demand. */
const external = ['jquery', /advice-file/]
const advice = (folder) => (id) => (/advice-file/.test(id) ? `${folder}mondido-advice.js` : id)

const output = (file, format, options) => ({
  file: `sdk/dist/${file}`,
  format,
  banner,
  paths: advice('./'),
  ...options,
})
/** The hook for React uses the library of the package, and the React of the page. */
const hook = { paths: (id) => (/index/.test(id) ? './mondido.esm.js' : id) }
const umd = { name: 'mondidoJs', globals: { jquery: 'jQuery' }, paths: advice('../') }

/** The browser library, from `sdk/` into `sdk/dist/`. */
export default [
  { input: 'sdk/index.ts', external, plugins, output: output('mondido.esm.js', 'es') },
  {
    input: 'sdk/react.ts',
    external: ['react', /index/],
    plugins,
    output: output('mondido.react.js', 'es', hook),
  },
  // As .cjs for require(), because .js files of this package are modules.
  { input: 'sdk/cjs.ts', external, plugins, output: output('mondido.cjs', 'cjs') },
  { input: 'sdk/umd.ts', external, plugins, output: output('umd/mondido.js', 'umd', umd) },
  {
    input: 'sdk/served.ts',
    external,
    plugins,
    output: [
      output('mondido.js', 'iife'),
      output('mondido.min.js', 'iife', { plugins: [minify], sourcemap: 'hidden' }),
    ],
  },
  { input: 'sdk/advice/advice-file.ts', plugins, output: output('mondido-advice.js', 'es') },
]

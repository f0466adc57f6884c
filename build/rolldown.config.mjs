import { globSync } from 'node:fs'
import { carryDocuments } from './carry-documents.ts'
import { provenance } from './provenance.ts'
import { runtimeFiles } from './runtime-files.ts'

/** The modules that programs import, each an entry of the package next to the gateway. */
export const KIT = ['client', 'testing', 'testing/vitest', 'testing/playwright', 'testing/msw']

const withProvenance = provenance()

/**
 * The programs of threads, in `dist/` at the same paths as in the sources. Each is a build of its
 * own, so that a thread reads one file, without the code of a start.
 */
const threads = ['parsing/parameters/decrypt-worker', 'templates/render-worker'].map((name) => ({
  input: { [name]: `mock-gateway/${name}.ts` },
  platform: 'node',
  plugins: [withProvenance],
  output: { dir: 'mock-gateway/dist', format: 'es', comments: false },
}))

/**
 * The gateway with every package that it is made of, so that a start reads three files and not six
 * hundred.
 */
const gateway = {
  input: { gateway: 'mock-gateway/gateway.ts', cli: 'mock-gateway/cli.ts' },
  platform: 'node',
  // An optional addition to pg that the gateway does not use.
  external: ['pg-native'],
  plugins: [
    carryDocuments('mock-gateway', [
      'LICENSE',
      'CHANGELOG.md',
      'SECURITY.md',
      'docs/{*,{start,how-to,reference,explanation}/*}.md',
    ]),
    runtimeFiles(),
    withProvenance,
  ],
  output: {
    dir: 'mock-gateway/dist',
    format: 'es',
    chunkFileNames: '[name].js',
    // Comments are a sixth of the bytes that a start reads. The licences are in a file of their own.
    comments: false,
    codeSplitting: {
      groups: [
        // One file for the modules that both entries load at once.
        { name: 'start', tags: ['$initial'], minShareCount: 2 },
        // One file for the shared parts of all pages: Node takes half a millisecond for each file.
        { name: 'pages', test: /[\\/]web[\\/]pages[\\/]|taggedTemplateLiteral/ },
      ],
    },
  },
}

/** The built gateway: the kit imports the one of its own package. */
const builtGateway = () => ({
  name: 'built-gateway',
  resolveId: (source, importer) =>
    source === './gateway.ts' && importer ? { id: './gateway.js', external: 'relative' } : null,
})

/**
 * The modules that programs import. They are a build of their own, so that a start does not read
 * them.
 */
const kit = {
  input: Object.fromEntries(KIT.map((name) => [name, `mock-gateway/${name}.ts`])),
  platform: 'node',
  external: ['msw', 'vitest'],
  plugins: [builtGateway()],
  output: { dir: 'mock-gateway/dist', format: 'es', chunkFileNames: 'kit-[name].js' },
}

/** The scripts of the gateway's pages, next to the views: see mock-gateway/web/pages/assets.ts. */
const pageScripts = globSync('mock-gateway/web/*/scripts/*.ts').map((input) => ({
  input,
  transform: { target: 'es2020' },
  output: {
    file: input.replace('mock-gateway', 'mock-gateway/dist').replace(/ts$/, 'js'),
    format: 'iife',
    minify: true,
  },
}))

/** The gateway for its package, and for `npm start`. Its licences include those of the threads. */
export default [...threads, gateway, kit, ...pageScripts]

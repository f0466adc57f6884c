import { globSync } from 'node:fs'
import { carryDocuments } from './carry-documents.ts'
import { provenance } from './provenance.ts'
import { runtimeFiles } from './runtime-files.ts'

/** What programs import, each an entry of the package beside the gateway. */
export const KIT = ['client', 'testing', 'testing/vitest', 'testing/playwright', 'testing/msw']

/** The programs of threads, which stand in `dist/` where they stand in the sources. */
const WORKERS = ['parsing/parameters/decrypt-worker', 'templates/render-worker']

/**
 * The gateway with every package that it is made of, so that a start reads a few files and not six
 * hundred.
 */
const gateway = {
  input: {
    gateway: 'mock-gateway/gateway.ts',
    cli: 'mock-gateway/cli.ts',
    ...Object.fromEntries(WORKERS.map((worker) => [worker, `mock-gateway/${worker}.ts`])),
  },
  platform: 'node',
  // An addition to pg that somebody may have, and that nobody needs.
  external: ['pg-native'],
  plugins: [
    carryDocuments('mock-gateway', [
      'LICENSE',
      'CHANGELOG.md',
      'SECURITY.md',
      'docs/{*,{start,how-to,reference,explanation}/*}.md',
    ]),
    runtimeFiles(),
    provenance(),
  ],
  // Comments are a sixth of what a start reads. The licences are in a file of their own.
  output: { dir: 'mock-gateway/dist', format: 'es', chunkFileNames: '[name].js', comments: false },
}

/** The gateway as it is built: a kit is made for the one that its package has. */
const builtGateway = () => ({
  name: 'built-gateway',
  resolveId: (source, importer) =>
    source === './gateway.ts' && importer ? { id: './gateway.js', external: 'relative' } : null,
})

/**
 * What programs import beside the gateway: a build of their own, so that a start reads nothing of
 * it.
 */
const kit = {
  input: Object.fromEntries(KIT.map((name) => [name, `mock-gateway/${name}.ts`])),
  platform: 'node',
  external: ['msw', 'vitest'],
  plugins: [builtGateway()],
  output: { dir: 'mock-gateway/dist', format: 'es', chunkFileNames: 'kit-[name].js' },
}

/** The scripts of the gateway's pages, beside the views: see mock-gateway/web/pages/assets.ts. */
const pageScripts = globSync('mock-gateway/web/*/scripts/*.ts').map((input) => ({
  input,
  transform: { target: 'es2020' },
  output: {
    file: input.replace('mock-gateway', 'mock-gateway/dist').replace(/ts$/, 'js'),
    format: 'iife',
    minify: true,
  },
}))

/** The gateway for its package, and for `npm start`. */
export default [gateway, kit, ...pageScripts]

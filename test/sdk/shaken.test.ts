// @vitest-environment node
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { rollup } from 'rollup'
import { beforeAll, expect, test } from 'vitest'
import { builtPath, ensureBuild } from './helpers/build.ts'

beforeAll(ensureBuild)

/** Source of a page that uses only the encryption. */
const PAGE = "import { encrypt } from 'mondido-js'\nglobalThis.sealed = encrypt"

/** Creates a plugin that resolves the page with this source, and the library. */
const page = (text: string) => ({
  name: 'page',
  resolveId: (id: string) =>
    id === 'page' ? id : id === 'mondido-js' ? builtPath('mondido.esm.js') : null,
  load: (id: string) => (id === 'page' ? text : null),
})

/** Returns a page's code after bundling and minifying. */
async function bundled(text: string): Promise<string> {
  const bundle = await rolldown({ input: 'page', plugins: [page(text)] })
  return (await bundle.generate({ format: 'es', minify: true })).output[0].code
}

const BUNDLERS: [string, () => Promise<string>][] = [
  ['rolldown', () => bundled(PAGE)],
  [
    'rollup',
    async () => {
      const bundle = await rollup({ input: 'page', plugins: [page(PAGE)] })
      return bundled((await bundle.generate({ format: 'es' })).output[0].code)
    },
  ],
]

test.for(BUNDLERS)(
  'a page that imports only encrypt gets at most 3 KB with the bundler %s',
  async ([name, bundle]) => {
    const code = await bundle()
    const size = gzipSync(code, { level: 9 }).length
    process.stdout.write(`encrypt alone, by ${name}: ${size} bytes gzip\n`)
    expect(code).toContain('getRandomValues')
    expect(size).toBeLessThanOrEqual(3_000)
  },
)

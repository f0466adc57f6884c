import { rmSync } from 'node:fs'
import { build } from 'rolldown'
import { dts } from 'rollup-plugin-dts'
import library from './build/library.config.mjs'
import gateway, { KIT } from './build/rolldown.config.mjs'

/**
 * Build of the types of an entry, in one file, without what is behind the entry. It does not check
 * them: `npm run check` does.
 */
const types = (input, tsconfig, output) => ({
  input,
  external: (id) => !/^([./]|zod\b)/.test(id),
  // Types of settings follow from their schemas, and users of the types need not have zod.
  plugins: [dts({ tsconfig, includeExternal: ['zod'], compilerOptions: { noCheck: true } })],
  output: { format: 'es', ...output },
})

/** The folder of each package, the builds of its scripts, and the build of its types. */
const PACKAGES = {
  library: {
    folder: 'sdk/dist',
    scripts: [],
    types: types('sdk/index.ts', 'sdk/tsconfig.json', { file: 'sdk/dist/index.d.ts' }),
  },
  gateway: {
    folder: 'mock-gateway/dist',
    scripts: gateway,
    // All entries together: alone, each would read the same sources again.
    types: types(
      Object.fromEntries(['gateway', ...KIT].map((name) => [name, `mock-gateway/${name}.ts`])),
      'tsconfig.json',
      { dir: 'mock-gateway/dist', chunkFileNames: 'types/[name].d.ts' },
    ),
  },
}

/**
 * Both packages, or one of them with `--configOnly library` or `gateway`. The gateway's contains
 * the library that it serves. Rolldown builds the scripts in a second, Rollup the types.
 */
export default async ({ configOnly }) => {
  const packages = configOnly ? [PACKAGES[configOnly]] : Object.values(PACKAGES)
  for (const { folder } of packages) rmSync(folder, { recursive: true, force: true })
  // One after the other, because the last build of the gateway lists the licences of all.
  for (const each of [...library, ...packages.flatMap(({ scripts }) => scripts)]) await build(each)
  return packages.map(({ types }) => types)
}

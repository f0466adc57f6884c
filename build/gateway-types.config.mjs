import { dts } from 'rollup-plugin-dts'

const ENTRIES = [
  'gateway',
  'client',
  'testing',
  ...['vitest', 'playwright', 'msw'].map((kit) => `testing/${kit}`),
]

/**
 * The types of mondido-gateway, a file for each entry: users have none of the packages that the
 * gateway uses, whose types tsc would refer to. `npm run check` checks them.
 */
export default {
  input: Object.fromEntries(ENTRIES.map((name) => [name, `mock-gateway/${name}.ts`])),
  external: (id) => !/^([./]|zod\b)/.test(id),
  plugins: [
    dts({
      tsconfig: 'tsconfig.json',
      includeExternal: ['zod'],
      compilerOptions: { noCheck: true },
    }),
  ],
  output: { dir: 'mock-gateway/dist', chunkFileNames: 'types/[name].d.ts' },
}

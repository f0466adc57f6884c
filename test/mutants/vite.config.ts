import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import all from '../../vite.config.ts'
import { type Mutant, mutated } from './mutants.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const mutant: Mutant | undefined = process.env.MUTANT ? JSON.parse(process.env.MUTANT) : undefined

/** Gives the tests one source with its fault; the file itself stays as it is. */
const plugin: Plugin = {
  name: 'mutant',
  enforce: 'pre',
  load: (id) =>
    mutant && id.split('?')[0] === root + mutant.path
      ? mutated(readFileSync(root + mutant.path, 'utf8'), mutant)
      : undefined,
}

/** As all tests are run, with the fault of `MUTANT` in the sources. */
export default defineConfig({
  ...all,
  root,
  plugins: [plugin],
  // What is kept of a source would be kept with its fault, or without.
  test: { ...all.test, fsModuleCache: false },
})

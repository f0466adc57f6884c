import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { BaseSequencer } from 'vitest/node'
import all from '../../../vite.config.ts'
import { type Mutant, mutated } from './mutants.ts'
import { watched } from './reach.ts'
import { MUTATED_MODULES, ROOT, sourcesBelow } from './sources.ts'

const sources = new Set(sourcesBelow(MUTATED_MODULES))
const takesNotes = process.env.MUTANTS === 'notes'

/**
 * Loads one source with the fault of `globalThis.mutant`, or all sources with statements that
 * record the reached blocks.
 */
const plugin: Plugin = {
  name: 'mutant',
  enforce: 'pre',
  load(id) {
    const { mutant } = globalThis as { mutant?: Mutant }
    const path = id.split('?')[0]?.slice(ROOT.length) ?? ''
    const read = () => readFileSync(ROOT + path, 'utf8')
    if (takesNotes) return sources.has(path) ? watched(path, read()) : undefined
    return mutant?.path === path ? mutated(read(), mutant) : undefined
  },
}

/** Sequencer that keeps the given order of test files: the nearest first. */
class AsGiven extends BaseSequencer {
  override sort: BaseSequencer['sort'] = async (files) => files
}

/** Configuration of all tests, without a cache, which would store sources with a fault. */
export default defineConfig({
  ...all,
  root: ROOT,
  plugins: [plugin],
  test: {
    ...all.test,
    fsModuleCache: false,
    sequence: { sequencer: AsGiven },
    ...(takesNotes ? { setupFiles: ['test/lab/mutants/note-reach.ts'] } : {}),
  },
})

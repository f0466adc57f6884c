/**
 * Process that runs tests for one mutant after another, so that sources are compiled only once.
 * Receives a `Trial` as a message, and answers whether a test fails that does not fail without the
 * mutant.
 */
import { createVitest } from 'vitest/node'
import type { Mutant } from './mutants.ts'
import { ROOT } from './sources.ts'

/** Mutant, with the tests that should detect it. */
export interface Trial {
  readonly mutant: Mutant
  readonly files: readonly string[]
}

const vitest = await createVitest({
  config: 'test/lab/mutants/vite.config.ts',
  project: ['sdk', 'gateway'],
  watch: false,
  bail: 1,
  maxWorkers: 1,
  reporters: [{}],
})

/**
 * Returns the test files that fail.
 * @param mutant undefined: the original sources
 */
async function failing(
  path: string,
  files: readonly string[],
  mutant?: Mutant,
): Promise<readonly string[]> {
  const name = path.startsWith('sdk/') ? 'sdk' : 'gateway'
  const project = vitest.projects.find((one) => one.name === name)
  if (!project) throw new Error(`there is no project ${name}`)
  Object.assign(globalThis, { mutant })
  vitest.invalidateFile(ROOT + path)
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(
    files.map((file) => project.createSpecification(ROOT + file)),
  )
  if (unhandledErrors.length > 0) return files
  // The list also contains files of earlier trials.
  const states = new Map(testModules.map((module) => [module.relativeModuleId, module.state()]))
  return files.filter((file) => states.get(file) === 'failed')
}

/** Returns true if a test fails because of the mutant, and not because of the machine. */
async function isFound({ mutant, files }: Trial): Promise<boolean> {
  const failed = await failing(mutant.path, files, mutant)
  return failed.length > 0 && (await failing(mutant.path, failed)).length < failed.length
}

process.on('message', async (trial: Trial) => void process.send?.(await isFound(trial)))

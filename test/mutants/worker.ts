/**
 * Runs tests for one fault after another, so that sources are made into JavaScript once, not for each fault. Gets a
 * `Trial` as a message, and answers whether a test has failed.
 */
import { createVitest } from 'vitest/node'
import type { Mutant } from './mutants.ts'
import { ROOT } from './sources.ts'

/** A fault, and the tests that are to find it. */
export interface Trial {
  readonly mutant: Mutant
  readonly files: readonly string[]
}

const vitest = await createVitest({
  config: 'test/mutants/vite.config.ts',
  project: ['sdk', 'gateway'],
  watch: false,
  bail: 1,
  maxWorkers: 1,
  reporters: [{}],
})

async function isFound({ mutant, files }: Trial): Promise<boolean> {
  const name = mutant.path.startsWith('sdk/') ? 'sdk' : 'gateway'
  const project = vitest.projects.find((one) => one.name === name)
  if (!project) throw new Error(`there is no project ${name}`)
  Object.assign(globalThis, { mutant })
  vitest.invalidateFile(ROOT + mutant.path)
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(
    files.map((file) => project.createSpecification(ROOT + file)),
  )
  vitest.invalidateFile(ROOT + mutant.path)
  // Those of earlier trials are among them.
  const ofTrial = testModules.filter(({ relativeModuleId }) => files.includes(relativeModuleId))
  return unhandledErrors.length > 0 || ofTrial.some((module) => module.state() === 'failed')
}

process.on('message', async (trial: Trial) => void process.send?.(await isFound(trial)))

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { growthFactor } from '../../../mock-gateway/cli/new-space.ts'

const MB = 1024 * 1024
const MODULE = new URL('../../../mock-gateway/cli/new-space.ts', import.meta.url).href

/**
 * The most megabytes that half the new space took in work that leaves V8 to give it all there is: objects that most soon
 * die, until it has what is enough, and then 64 MB of objects that all live on.
 * @param first what is run before
 */
async function afterWork(first: string): Promise<number> {
  const program = `
    import { keepNewSpaceSmall, newSpaceHalf } from ${JSON.stringify(MODULE)}
    ${first}
    let most = 0
    const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
    const work = async () => {
      const made = Array.from({ length: 40_000 }, (_, id) => ({ id }))
      await pause(1)
      most = Math.max(most, newSpaceHalf())
      return made
    }
    for (let round = 0; round < 120; round += 1) globalThis.kept = await work()
    await pause(100)
    globalThis.kept = []
    for (let round = 0; round < 45; round += 1) kept.push(await work())
    console.log(most)`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program])
  return Math.round(Number(stdout) / MB)
}

describe('what new objects may take', () => {
  test('is bounded, which V8 alone does not', async () => {
    const [alone, kept] = await Promise.all([afterWork(''), afterWork('keepNewSpaceSmall()')])
    expect(kept).toBe(16)
    expect(alone).toBeGreaterThan(16)
  })

  test.each([
    [1 * MB, 16],
    [4 * MB, 4],
    [12 * MB, 1],
    [16 * MB - 4_000, 1],
    [64 * MB, 1],
  ])('grows from %i bytes by a factor of %i', (size, factor) => expect(growthFactor(size)).toBe(factor))
})

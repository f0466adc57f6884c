import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningGateway, runGateway } from '../../../mock-gateway/cli.ts'
import { startProgram } from '../../helpers/program.ts'

const KEY = 'key-of-the-examples'

let gateway: RunningGateway
beforeAll(async () => {
  const args = ['--memory', '--port', '0', '--control-key', KEY]
  gateway = await runGateway(args, { LOG_LEVEL: 'silent' }, () => {})
})
afterAll(() => gateway.close())

async function run(file: string, ...more: string[]) {
  const program = startProgram(file, ['--gateway', gateway.url, '--control-key', KEY, ...more])
  return { code: await program.ended, lines: program.output().trimEnd().split('\n') }
}

const clock = async () => {
  const answer = await fetch(`${gateway.url}/_control/clock?merchant_id=1`, {
    headers: { 'x-control-key': KEY },
  })
  return (await answer.json()) as { mode: string }
}

test('webhook-receiver verifies each attempt, answers 500 twice, and is called again at the retry times', async () => {
  const { code, lines } = await run('examples/webhook-receiver/receive.ts')
  expect(lines).toEqual([
    expect.stringMatching(/^Paid 250\.00 SEK, webhook to http:\/\/127\.0\.0\.1:\d+\/hook$/),
    expect.stringMatching(
      /^Attempt 1: signature right, response_hash right, transaction \d+ is approved, answered 500$/,
    ),
    expect.stringMatching(/^Attempt 2: .* answered 500$/),
    expect.stringMatching(/^ {2}after the clock was moved to the retry, \S+Z$/),
    expect.stringMatching(/^Attempt 3: .* answered 200$/),
    expect.stringMatching(/^ {2}after the clock was moved to the retry, \S+Z$/),
    'Taken after 3 attempts',
  ])
  expect(code).toBe(0)
  expect((await clock()).mode).toBe('real')
})

test('subscription charges five years of months, and resumes the clock', async () => {
  const { code, lines } = await run('examples/subscription/charge.ts')
  const years = lines.filter((line) => /^ {2}\d{4}: /.test(line))
  const counts = years.map((line) => Number(/: (\d+) charges/.exec(line)?.[1]))
  const charges = counts.reduce((sum, count) => sum + count, 0)
  // The first period is charged immediately, and the last one after five years.
  expect(charges).toBe(61)
  expect(counts.slice(1, -1)).toEqual([12, 12, 12, 12])
  for (const line of years) expect(line).toMatch(/all approved$/)
  expect(lines.at(-1)).toMatch(/^61 charges until \S+Z$/)
  expect(code).toBe(0)
  expect((await clock()).mode).toBe('real')
})

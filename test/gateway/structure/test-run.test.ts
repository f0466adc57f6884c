import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { sourcesLike } from '../../helpers/sources.ts'
import { NOT_IN_FIREFOX } from '../../setup/not-in-firefox.ts'
import { readReport, type VitestReport } from '../../setup/vitest-report.ts'

const file = (status: string, ...tests: string[]): VitestReport['testResults'][number] => ({
  name: '/p/test/sdk/a.test.ts',
  status,
  message: '',
  assertionResults: tests.map((each) => ({
    status: each,
    fullName: `is ${each}`,
    failureMessages: [],
  })),
})

describe('a test run', () => {
  test('that passed has no failures', () => {
    const report = { testResults: [file('passed', 'passed', 'passed')] }
    expect(readReport(report, 0, ['/p/test/sdk'])).toEqual({ passed: 2, failures: [], flaky: [] })
  })

  test.each(['failed', 'skipped', 'pending', 'todo'])(
    'counts a %s test as a failure, by name',
    (status) => {
      const { passed, failures } = readReport(
        { testResults: [file('failed', 'passed', status)] },
        0,
        [],
      )
      expect(passed).toBe(1)
      expect(failures[0]).toBe(`${status}: /p/test/sdk/a.test.ts > is ${status}`)
    },
  )

  test('lists tests that passed only at the second attempt, which are not failures', () => {
    const count = 4
    const { assertionResults, ...rest } = file('passed', 'passed', ...Array(count).fill('passed'))
    const [steady, ...again] = assertionResults
    const tried = again.map((each) => ({ ...each, failureMessages: ['Error: too low\n  at a.ts'] }))
    const report = {
      testResults: [{ ...rest, assertionResults: [...(steady ? [steady] : []), ...tried] }],
    }
    const { passed, failures, flaky } = readReport(report, 0, [])
    expect(passed).toBe(count + 1)
    expect(failures).toEqual([])
    expect(flaky).toEqual(Array(count).fill('/p/test/sdk/a.test.ts > is passed: Error: too low'))
  })

  test.each([
    ['a file that could not be loaded', { testResults: [file('failed')] }, 1, []],
    [
      'a folder of which nothing ran',
      { testResults: [file('passed', 'passed')] },
      0,
      ['/p/test/browser'],
    ],
    ['no test at all', { testResults: [] }, 0, ['/p/test/sdk']],
    ['a bad exit code that no test explains', { testResults: [file('passed', 'passed')] }, 1, []],
    ['a missing report', undefined, 0, []],
  ])('counts %s as a failure', (_what, report, code, folders) => {
    expect(readReport(report, code, folders).failures).toHaveLength(1)
  })
})

test('no test depends on the system, because a skipped test counts as failed', () => {
  const skipped = sourcesLike('test/**/*.test.ts').filter((path) =>
    /\.(runIf|skipIf|skip|todo)\(/.test(readFileSync(path, 'utf8')),
  )
  expect(skipped).toEqual([])
})

test('every title in the list of tests that cannot run in Firefox exists', () => {
  const sources = sourcesLike('test/browser/**/*.test.ts').map((path) => readFileSync(path, 'utf8'))
  // The rest of a title with %s is in a row of its table.
  const isMadeOfTwo = (title: string, source: string) =>
    [...source.matchAll(/'([^'\n]+) %s'/g)].some(
      ([, head = '']) =>
        title.startsWith(`${head} `) && source.includes(title.slice(head.length + 1)),
    )
  const missing = Object.values(NOT_IN_FIREFOX)
    .flat()
    .filter((title) => !sources.some((text) => text.includes(title) || isMadeOfTwo(title, text)))
  expect(missing).toEqual([])
})

/** Rules for passed and failed tests in a vitest run. */

/** Part of vitest's JSON report that is read here. */
export interface VitestReport {
  readonly testResults: readonly {
    /** Absolute path of the test file. */
    readonly name: string
    readonly status: string
    readonly message: string
    readonly assertionResults: readonly {
      readonly status: string
      readonly fullName: string
      /** Messages of every attempt: a passed test has the messages of the previous attempt. */
      readonly failureMessages: readonly string[]
    }[]
  }[]
}

/** Result of a step of the test run: the number of passed tests, and one line for each failure. */
export interface Outcome {
  readonly passed: number
  readonly failures: readonly string[]
  /** Tests that passed only at the second attempt. They count as passed, too. */
  readonly flaky?: readonly string[]
}

/**
 * Reads a report strictly: a test that did not run is a failure. So are a file that could not be
 * loaded, a folder in which no test ran, and a bad exit code without a failed test. Flaky tests are
 * listed and do not fail the run, because their number depends on the load of the machine.
 * @param report undefined if vitest wrote none
 * @param folders absolute paths of folders in which at least one test must have run
 */
export function readReport(
  report: VitestReport | undefined,
  exitCode: number,
  folders: readonly string[],
): Outcome {
  if (!report)
    return { passed: 0, failures: [`vitest wrote no report and ended with code ${exitCode}`] }
  const tests = report.testResults.flatMap((file) =>
    file.assertionResults.map((test) => ({ ...test, title: `${file.name} > ${test.fullName}` })),
  )
  const passed = tests.filter(({ status }) => status === 'passed')
  const flaky = passed
    .filter(({ failureMessages }) => failureMessages.length > 0)
    .map(({ title, failureMessages: [first = ''] }) => `${title}: ${first.split('\n')[0]}`)
  const failures = [
    ...tests
      .filter(({ status }) => status !== 'passed')
      .map(({ status, title }) => `${status}: ${title}`),
    ...report.testResults
      .filter(
        (file) =>
          file.status === 'failed' &&
          file.assertionResults.every((test) => test.status !== 'failed'),
      )
      .map((file) => `failed: ${file.name}: ${file.message || 'it could not be run'}`),
    ...folders
      .filter(
        (folder) =>
          !report.testResults.some(
            (file) => file.name.startsWith(folder) && file.assertionResults[0],
          ),
      )
      .map((folder) => `no test ran in ${folder}`),
  ]
  if (exitCode !== 0 && failures.length === 0) failures.push(`vitest ended with code ${exitCode}`)
  return { passed: passed.length, failures, flaky }
}

/** What counts as passed and failed in a vitest run. */

/** The part of vitest's JSON report that is read here. */
export interface VitestReport {
  readonly testResults: readonly {
    /** Absolute path of the test file. */
    readonly name: string
    readonly status: string
    readonly message: string
    readonly assertionResults: readonly {
      readonly status: string
      readonly fullName: string
      /** Of every try: of a test that passed, those of the try before. */
      readonly failureMessages: readonly string[]
    }[]
  }[]
}

/** Result of a step of the test run: how much held, and one line for each thing that did not. */
export interface Outcome {
  readonly passed: number
  readonly failures: readonly string[]
  /** Tests that passed only at the second attempt. They count as passed, too. */
  readonly flaky?: readonly string[]
}

/**
 * Reads a report strictly: a test that did not run is a failure, and so are a file that could not
 * be loaded, a folder of which nothing ran, and a bad exit code that no test explains. Flaky tests
 * are listed and do not fail the run: how many there are depends on how busy the machine is.
 * @param report undefined when vitest wrote none
 * @param folders absolute paths of folders of which at least one test must have run
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

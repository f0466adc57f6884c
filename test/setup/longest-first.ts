import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Project whose only file takes the longest time. In alphabetical order it would start last, and
 * delay the end of the run.
 */
const FIRST = 'simulation'

/**
 * Sequencer with vitest's order of test files (by project, large files first), except that the
 * longest file is the first.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isFirst = ({ project }: TestSpecification) => Number(project.name === FIRST)
    return (await super.sort(files)).sort((one, other) => isFirst(other) - isFirst(one))
  }
}

import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The only file of this project takes the longest time. In alphabetical order it would start last,
 * and delay the end.
 */
const FIRST = 'simulation'

/** Test files in vitest's order: by project, and large ones first; but the longest first of all. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isFirst = ({ project }: TestSpecification) => Number(project.name === FIRST)
    return (await super.sort(files)).sort((one, other) => isFirst(other) - isFirst(one))
  }
}

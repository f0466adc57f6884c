/** True in the long form of tests, such as `npm run lab -- browser`. */
export const isLong = process.env.TEST_FORM === 'long'

/**
 * What a test of many tries: all in the long form; in the short one, inside `npm test`, every nth
 * from the one at `first` on, so that tests that begin elsewhere try all of it between them.
 */
export const someOf = <Each>(all: readonly Each[], nth: number, first = 0): readonly Each[] =>
  isLong ? all : all.filter((_each, index) => index % nth === first % nth)

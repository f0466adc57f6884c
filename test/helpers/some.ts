/** True in the long form of tests, such as `npm run lab -- browser`. */
export const isLong = process.env.TEST_FORM === 'long'

/**
 * Returns a part of many cases: all in the full run; in the short run of `npm test` every nth case
 * from `first` on, so that tests with different starts cover all cases together.
 */
export const someOf = <Each>(all: readonly Each[], nth: number, first = 0): readonly Each[] =>
  isLong ? all : all.filter((_each, index) => index % nth === first % nth)

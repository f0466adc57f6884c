/**
 * True if tests may install programs and packages of others, such as PHP or webpack
 * (`TEST_FORM=long npm run test:all`).
 */
export const isLong = process.env.TEST_FORM === 'long'

/**
 * Returns all cases in the full run. In the short run of `npm test`, returns every nth case from
 * `first` on, so that tests with different starts cover all cases together.
 */
export const someOf = <Each>(all: readonly Each[], nth: number, first = 0): readonly Each[] =>
  isLong ? all : all.filter((_each, index) => index % nth === first % nth)

/** Version of the package; the build writes the number here. */
export const VERSION = 'development'

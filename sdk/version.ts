/** Version of the package, as in its package.json. */
export const VERSION = '2.0.0'

/** A value, or a promise of it. */
export type Soon<T> = T | PromiseLike<T>

/** Returns true for a promise, including those of other libraries. */
export const isPromise = <T>(given: Soon<T>): given is PromiseLike<T> =>
  typeof (given as PromiseLike<T> | undefined)?.then === 'function'

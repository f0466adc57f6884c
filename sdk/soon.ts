/** A value, or a promise of it. */
export type MaybePromise<T> = T | PromiseLike<T>

/** Returns true for a promise, including those of other libraries. */
export const isPromise = <T>(given: MaybePromise<T>): given is PromiseLike<T> =>
  typeof (given as PromiseLike<T> | undefined)?.then === 'function'

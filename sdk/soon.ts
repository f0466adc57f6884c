/** What somebody gives at once, or later. */
export type Soon<T> = T | PromiseLike<T>

/** Whether it comes later; promises of other libraries are promises, too. */
export const isPromise = <T>(given: Soon<T>): given is PromiseLike<T> =>
  typeof (given as PromiseLike<T> | undefined)?.then === 'function'

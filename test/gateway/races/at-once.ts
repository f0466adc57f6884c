import type { Answer, TransactionOrError } from '../../helpers/gateway.ts'

/** Runs the same work several times in parallel. */
export const times = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))

export const won = ({ status }: Answer<unknown>) => status === 200

/** Returns the error codes of the rejected requests, each once. */
export const refusals = (answers: readonly Answer<TransactionOrError>[]) =>
  [...new Set(answers.filter((answer) => !won(answer)).map(({ body }) => body.code))].sort(
    (a, b) => a - b,
  )

/**
 * Error codes of a request that is too late: the transaction is processed, or another request is
 * changing it.
 */
export const TOO_LATE = [153, 155, 1531]

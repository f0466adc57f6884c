import type { Answer, TransactionOrError } from '../../helpers/gateway.ts'

/** Does the same work several times at once. */
export const times = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))

export const won = ({ status }: Answer<unknown>) => status === 200

/** Codes of the refused ones, each once. */
export const refusals = (answers: readonly Answer<TransactionOrError>[]) =>
  [...new Set(answers.filter((answer) => !won(answer)).map(({ body }) => body.code))].sort(
    (a, b) => a - b,
  )

/** What came second finds the transaction processed, or somebody else at work on it. */
export const TOO_LATE = [153, 155, 1531]

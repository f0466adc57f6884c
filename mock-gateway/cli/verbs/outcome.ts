import { type RunVerb, textOf, UsageError } from './verb.ts'

interface Next {
  readonly next: readonly {
    readonly merchant_id: number | null
    readonly outcome: string
    readonly times: number
  }[]
}

/** `mondido-gateway outcome declined`. */
export const run: RunVerb = async (given, { connect, show }) => {
  const [word] = given.words
  const times = textOf(given, 'times')
  if (times !== undefined && !/^[1-9]\d*$/.test(times))
    throw new UsageError('--times must be a number of at least 1.')
  const { control, merchant } = await connect()
  const owner = { merchant_id: merchant.id }
  const { next } =
    word === undefined
      ? await control<Next>('GET', '/payments/next', owner)
      : word === 'clear'
        ? await control<Next>('DELETE', '/payments/next', owner)
        : await control<Next>('POST', '/payments/next', { ...owner, outcome: nameOf(word), times })
  const lines = next.map(
    ({ outcome, times: left }) => `  ${outcome}${left > 1 ? `, ${left} times` : ''}`,
  )
  show(
    next,
    lines.length > 0
      ? [`Next payments of merchant ${merchant.id}:`, ...lines]
      : ['The card decides.'],
  )
  return 0
}

const nameOf = (word: string): string => (word === 'declined' ? 'errors.payment.declined' : word)

import { getText, type RunVerb, UsageError } from './verb.ts'

/** `mondido-gateway outcome declined`. */
export const run: RunVerb = async (given, { connect, show }) => {
  const [word] = given.words
  const times = getText(given, 'times')
  if (times !== undefined && !/^[1-9]\d*$/.test(times))
    throw new UsageError('--times must be a number of at least 1.')
  const { control, merchant } = await connect()
  const mine = { merchant_id: merchant.id }
  const { next } =
    word === undefined
      ? await control.payments.forced(mine)
      : word === 'clear'
        ? await control.payments.unforce(mine)
        : await control.payments.force({
            ...mine,
            outcome: word === 'declined' ? 'errors.payment.declined' : word,
            times: times === undefined ? undefined : Number(times),
          })
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

import { StartError } from '../start-error.ts'
import { type RunVerb, UsageError } from './verb.ts'

/** `mondido-gateway resend 12`. */
export const run: RunVerb = async ({ words: [named] }, { connect, show }) => {
  if (named !== undefined && !/^\d+$/.test(named))
    throw new UsageError(`The webhook must be a number, not "${named}".`)
  const { control, merchant } = await connect()
  const [newest] =
    named === undefined
      ? await control.deliveries.list({ merchant_id: merchant.id, limit: 1 })
      : [{ id: Number(named) }]
  if (!newest) throw new StartError(`Merchant ${merchant.id} has no webhook yet.`)
  await control.deliveries.send({ id: newest.id })
  const sent = await control.deliveries.show({ id: newest.id })
  show(sent, [`Webhook ${newest.id} (${sent.trigger}) is sent to ${sent.url} again.`])
  return 0
}

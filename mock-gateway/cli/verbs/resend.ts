import { StartError } from '../start-error.ts'
import { type RunVerb, UsageError } from './verb.ts'

/** `mondido-gateway resend 12`. */
export const run: RunVerb = async ({ words: [named] }, { connect, show }) => {
  if (named !== undefined && !/^\d+$/.test(named))
    throw new UsageError(`The webhook must be a number, not "${named}".`)
  const { control, merchant } = await connect()
  const filter = { merchant_id: merchant.id, limit: 1 }
  const [newest] =
    named === undefined
      ? await control<readonly { readonly id: number }[]>('GET', '/webhooks/deliveries', filter)
      : [{ id: Number(named) }]
  if (!newest) throw new StartError(`Merchant ${merchant.id} has no webhook yet.`)
  await control('POST', `/webhooks/deliveries/${newest.id}/send`)
  const sent = await control<{ readonly trigger: string; readonly url: string }>(
    'GET',
    `/webhooks/deliveries/${newest.id}`,
  )
  show(sent, [`Webhook ${newest.id} (${sent.trigger}) is sent to ${sent.url} again.`])
  return 0
}

import { performance, timers } from '../../domain/timers.ts'
import { TRIGGERS } from '../../domain/webhook/triggers.ts'
import type { ToolContext } from '../mcp/tools.ts'
import { paint } from '../paint.ts'
import { StartError } from '../start-error.ts'
import { getText, type RunVerb, UsageError } from './verb.ts'

/** Milliseconds for the shop's answer. */
const PATIENCE = 10_000

/** `mondido-gateway trigger payment_success --to http://localhost:3000/hook`. */
export const run: RunVerb = async (given, { connect, show }) => {
  const trigger = TRIGGERS.find((known) => known === given.words[0])
  if (!trigger) throw new UsageError(`The event must be one of ${TRIGGERS.join(', ')}.`)
  const at = await connect()
  const { control, merchant } = at
  const url = getText(given, 'to') ?? (await findTarget(at, trigger))
  const transaction = getText(given, 'transaction')
  const { id } = await control.webhooks.test({
    merchant_id: merchant.id,
    trigger,
    url,
    transaction_id: transaction as number | undefined,
  })
  const delivery = await waitForAttempt(control, id)
  const [attempt] = delivery.attempts
  const answer = attempt?.response?.code ?? attempt?.outcome ?? 'no answer yet'
  show(delivery, [
    `${trigger} to ${url}: ${paint(delivery.status === 'delivered' ? 'green' : 'red', String(answer))}`,
  ])
  return delivery.status === 'delivered' ? 0 : 1
}

/**
 * Returns the address of the merchant's own webhook for an event.
 * @throws StartError
 */
async function findTarget({ control, merchant }: ToolContext, trigger: string): Promise<string> {
  const mine = { merchant_id: merchant.id }
  const [{ settings }, added] = await Promise.all([
    control.merchants.show({ id: merchant.id }),
    control.webhooks.templates(mine),
  ])
  const { webhooks = [] } = settings as { readonly webhooks?: typeof added }
  const found = [...webhooks, ...added].find((one) => one.trigger === trigger && one.url)
  if (found?.url) return found.url
  throw new StartError(
    `Merchant ${merchant.id} has no webhook for ${trigger}. Name an address, such as --to http://localhost:3000/hook.`,
    2,
  )
}

async function waitForAttempt({ deliveries }: ToolContext['control'], id: number) {
  const until = performance.now() + PATIENCE
  for (;;) {
    const delivery = await deliveries.show({ id })
    if (delivery.attempts.length > 0 || performance.now() > until) return delivery
    await timers.pause(50)
  }
}

import { performance, timers } from '../../domain/timers.ts'
import { TRIGGERS } from '../../domain/webhook/triggers.ts'
import type { ToolContext } from '../mcp/tools.ts'
import { paint } from '../paint.ts'
import { StartError } from '../start-error.ts'
import { type RunVerb, textOf, UsageError } from './verb.ts'

interface Delivery {
  readonly id: number
  readonly url: string
  readonly status: string
  readonly attempts: readonly {
    readonly outcome: string
    readonly response: { readonly code?: number } | null
  }[]
}

/** Milliseconds for the shop's answer. */
const PATIENCE = 10_000

/** `mondido-gateway trigger payment_success --to http://localhost:3000/hook`. */
export const run: RunVerb = async (given, { connect, show }) => {
  const [trigger] = given.words
  if (!TRIGGERS.some((known) => known === trigger))
    throw new UsageError(`The event must be one of ${TRIGGERS.join(', ')}.`)
  const at = await connect()
  const { control, merchant } = at
  const url = textOf(given, 'to') ?? (await findTarget(at, trigger as string))
  const { id } = await control<Delivery>('POST', '/webhooks/test', {
    merchant_id: merchant.id,
    trigger,
    url,
    transaction_id: textOf(given, 'transaction'),
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
  interface Template {
    readonly trigger: string
    readonly url?: string
  }
  const [{ settings }, added] = await Promise.all([
    control<{ readonly settings: { readonly webhooks?: readonly Template[] } }>(
      'GET',
      `/merchants/${merchant.id}`,
    ),
    control<readonly Template[]>('GET', '/webhooks/templates', { merchant_id: merchant.id }),
  ])
  const found = [...(settings.webhooks ?? []), ...added].find(
    (one) => one.trigger === trigger && one.url,
  )
  if (found?.url) return found.url
  throw new StartError(
    `Merchant ${merchant.id} has no webhook for ${trigger}. Name an address, such as --to http://localhost:3000/hook.`,
    2,
  )
}

async function waitForAttempt(control: ToolContext['control'], id: number): Promise<Delivery> {
  const until = performance.now() + PATIENCE
  for (;;) {
    const delivery = await control<Delivery>('GET', `/webhooks/deliveries/${id}`)
    if (delivery.attempts.length > 0 || performance.now() > until) return delivery
    await timers.pause(50)
  }
}

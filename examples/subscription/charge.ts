/**
 * Five years of a subscription in seconds: stores a card, subscribes it to a plan of 99.00 SEK a
 * month, and moves the clock of the sandbox; the gateway charges each period at its own moment.
 *
 *     npx node examples/subscription/charge.ts --control-key <the key that the gateway printed>
 */
import { newReference } from '../shared/payment.ts'
import { createClock, runProgram, type Sandbox } from '../shared/program.ts'
import { getCaller } from '../shared/service.ts'

const YEARS = 5
const MONTHLY = '99.00'

/** The fields of a charge that are looked at here. */
interface Charge {
  readonly id: number
  /** ISO 8601 */
  readonly created_at: string
  readonly amount: string
  readonly status: string
}

/** @returns every charge there was, oldest first */
export async function subscribe(sandbox: Sandbox): Promise<Charge[]> {
  const { gateway, merchant, print } = sandbox
  const call = getCaller(gateway, merchant)
  const clock = createClock(sandbox)
  const expiryYear = String(new Date().getFullYear() + YEARS + 1).slice(2)
  const card = await call<{ id: number }>('POST', '/v1/stored_cards', {
    currency: 'sek',
    test: 'true',
    customer_ref: newReference(),
    card_type: 'VISA',
    card_number: '4111111111111111',
    card_holder: 'Kim Berg',
    card_expiry: `12${expiryYear}`,
    card_cvv: '200',
  })
  const plan = await call<{ id: number }>('POST', '/v1/plans', {
    name: 'Coffee of the month',
    interval: '1',
    interval_unit: 'months',
    'prices[sek]': MONTHLY,
  })
  const order = { plan_id: String(plan.id), stored_card_id: String(card.id) }
  const { id } = await call<{ id: number }>('POST', '/v1/subscriptions', order)
  print(`Subscription ${id}: ${MONTHLY} SEK a month from card ${card.id}`)
  try {
    const { now } = await clock.advance({ months: String(12 * YEARS) })
    const charges: Charge[] = []
    for (;;) {
      const page = { order_by: 'id', limit: '100', offset: String(charges.length) }
      const more = await call<Charge[]>('GET', `/v1/subscriptions/${id}/transactions`, page)
      charges.push(...more)
      if (more.length < 100) break
    }
    const years = Map.groupBy(charges, ({ created_at }) => created_at.slice(0, 4))
    for (const [year, each] of years) {
      const sum = each.reduce((total, { amount }) => total + Number(amount), 0)
      const statuses = [...new Set(each.map(({ status }) => status))]
      print(`  ${year}: ${each.length} charges, ${sum.toFixed(2)} SEK, all ${statuses}`)
    }
    print(`${charges.length} charges until ${now}`)
    return charges
  } finally {
    await call('DELETE', `/v1/subscriptions/${id}`)
    await clock.giveBack()
  }
}

if (import.meta.main) await runProgram(subscribe)

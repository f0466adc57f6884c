import { afterEach, expect, test } from 'vitest'
import type { Transaction } from '../../../mock-gateway/contract/wire.ts'
import { TRIGGERS } from '../../../mock-gateway/domain/webhook/triggers.ts'
import { MERCHANT, payment } from '../../helpers/gateway.ts'
import { openSink } from '../../helpers/sink.ts'
import { newPlan } from '../subscriptions/new-subscription.ts'
import { onBothDatabases, type Shop } from './shop.ts'

let shop: Shop | undefined
afterEach(() => shop?.close())

/** Every trigger except before_payment. */
const AFTER = TRIGGERS.filter((trigger) => trigger !== 'before_payment')

onBothDatabases((openShop) => {
  test.each([
    [
      '1235',
      'approved',
      ['own recurring_success'],
      ['payment', 'payment_success', 'recurring_success'],
    ],
    ['0137', 'declined', [], ['payment', 'payment_error']],
  ] as const)(
    'a charge fires only recurring_success of the payment’s own webhooks: card of %s, %s',
    async (card_expiry, status, own, ofAccount) => {
      const sink = await openSink()
      const named = (whose: string) =>
        AFTER.map((trigger) => ({
          name: trigger,
          trigger,
          url: `${sink.url}?${whose}%20${trigger}`,
        }))
      shop = await openShop(
        { merchants: [{ ...MERCHANT, settings: { webhooks: named('account') } }] },
        sink,
      )
      const { id: plan_id } = await newPlan(shop)
      const webhook = JSON.stringify(named('own').map(({ trigger, url }) => ({ trigger, url })))
      await shop.post(
        '/v1/transactions',
        payment({ plan_id, amount: '99.00', card_expiry, webhook }),
      )
      await shop.gateway.clock.advance({ months: 1 })
      const bodies = sink.received.map(({ path, body }) => ({
        who: decodeURIComponent(path.split('?')[1] ?? ''),
        body: JSON.parse(body) as Transaction,
      }))
      const ofCharge = bodies.filter(({ body }) => body.transaction_type === 'recurring')
      expect(new Set(ofCharge.map(({ body }) => body.status))).toEqual(new Set([status]))
      expect(
        ofCharge
          .filter(({ body }) => body.id === ofCharge[0]?.body.id)
          .map(({ who }) => who)
          .sort(),
      ).toEqual([...ofAccount.map((trigger) => `account ${trigger}`), ...own].sort())
    },
  )
})

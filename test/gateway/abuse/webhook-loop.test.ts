import { expect, test } from 'vitest'
import { runGateway } from '../../../mock-gateway/cli.ts'
import type { Transaction } from '../../../mock-gateway/contract/wire.ts'
import { clientAt, hashed } from '../../helpers/gateway.ts'
import { invoice } from '../payment-methods/fields.ts'

interface Delivery {
  readonly status: string
}

/**
 * Instruction that declines an invoice. The body of its webhook is a complete request, which could
 * be sent again.
 */
const REFUSED = '{"service_instructions":{"fail_as_code":225}}'

test('attack 130 (webhook-loop): webhooks to the gateway’s own payment addresses are not sent', async () => {
  const key = 'a-key-of-the-test'
  const gateway = await runGateway(
    ['--memory', '--port', '0', '--control-key', key],
    { LOG_LEVEL: 'silent' },
    () => {},
  )
  try {
    const { merchant, url } = gateway
    const fields = hashed(invoice({}, { metadata: REFUSED }), merchant)
    const signed = String(
      new URLSearchParams({ hash: String(fields.hash), merchant_id: String(merchant.id) }),
    )
    const webhook = ['/v1/transactions', '/v1/form'].flatMap((path) =>
      ['json', 'form_data'].map((data_format) => ({
        trigger: 'payment',
        url: `${url}${path}?${signed}`,
        data_format,
      })),
    )
    const shop = clientAt(url, merchant)
    await shop.post('/v1/transactions', { ...fields, webhook: JSON.stringify(webhook) })
    const deliveries = async () => {
      const answer = await fetch(`${url}/_control/webhooks/deliveries`, {
        headers: { 'x-control-key': key },
      })
      return (await answer.json()) as Delivery[]
    }
    await expect
      .poll(async () => (await deliveries()).map(({ status }) => status))
      .toEqual(Array.from({ length: 4 }, () => 'failed'))
    expect((await shop.get<Transaction[]>('/v1/transactions')).body).toHaveLength(1)
  } finally {
    await gateway.close()
  }
})

import { expect, test } from 'vitest'
import { type Fields, MERCHANT, payment, type TestGateway } from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'
import { invoice } from '../payment-methods/fields.ts'

const STRICT = {
  id: 2,
  password: 'password 2',
  secret: 'secret 2',
  settings: { live_cards: 'refuse' },
} as const
const DENIED = '199610202385'

const shop = await sharedGateway({ merchants: [MERCHANT, STRICT] })

async function explained(
  path: string,
  fields: Fields,
  merchant: Parameters<TestGateway['as']>[0] = MERCHANT,
) {
  const { body, headers } = await shop.as(merchant).post(path, fields)
  return { code: body.code, explain: headers.get('mondido-explain') }
}

const instructed = (instruction: string, value: string) => ({
  [`metadata[service_instructions][${instruction}]`]: value,
})

test('the explanation of a declined payment names its cause', async () => {
  const pay = '/v1/transactions'
  const live = payment({ test: false, card_number: '4539148803436467' })
  expect([
    await explained(pay, live, STRICT),
    await explained(pay, payment({ card_cvv: '201' })),
    await explained(pay, payment(instructed('fail_as_code', '1290'))),
    await explained(pay, payment(instructed('fail_as_message', 'Closed'))),
    await explained(pay, invoice({ personal_number: DENIED })),
  ]).toEqual([
    {
      code: 243,
      explain:
        "The merchant's setting live_cards rejects payments with test=false. Send test=true and a test card.",
    },
    {
      code: 129,
      explain:
        'In test mode this CVV means a declined payment. Send CVV 200 for an approved payment.',
    },
    {
      code: 1290,
      explain:
        'metadata.service_instructions requests this result with fail_as_code. Leave it out to let the bank decide.',
    },
    {
      code: 1290,
      explain:
        'metadata.service_instructions requests this result with fail_as_message. Leave it out to let the bank decide.',
    },
    {
      code: 224,
      explain: expect.stringMatching(/^In test mode this personal number belongs to a test person/),
    },
  ])
})

test('the explanation of a repeated attempt names the first decline as its cause', async () => {
  const fields = payment({ card_cvv: '201', merchant_id: 1, mondido_attempt: 'a'.repeat(32) })
  const answers = [
    await explained('/v1/transactions', fields),
    await explained('/v1/transactions', fields),
  ]
  expect(answers.map(({ code }) => code)).toEqual([129, 129])
  expect(answers[1]?.explain).toContain('first request with this mondido_attempt')
})

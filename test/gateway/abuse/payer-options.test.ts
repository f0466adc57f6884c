import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Client,
  type Fields,
  MERCHANT,
  payment,
  prepared,
  startGateway,
  TEMPLATES,
  type TestGateway,
  type TestMerchant,
} from '../../helpers/gateway.ts'

const OPEN: TestMerchant = {
  ...MERCHANT,
  settings: { payer_options: ['webhook', 'store_card', 'authorize', 'template_id'] },
}
const CLOSED = { ...MERCHANT, settings: { payer_options: [] } }

let usual: TestGateway
let open: TestGateway
let closed: TestGateway
beforeAll(async () => {
  usual = await startGateway({ templates: TEMPLATES })
  open = await startGateway({ merchants: [OPEN], templates: TEMPLATES })
  closed = await startGateway({ merchants: [CLOSED], templates: TEMPLATES })
})
afterAll(() => Promise.all([usual.close(), open.close(), closed.close()]))

const WEBHOOK = '{"trigger":"payment","url":"https://payer.example/hook"}'
const URLS = { success_url: 'https://shop.example/thanks', error_url: 'https://shop.example/sorry' }

/** Options, each with fields that a payer adds to an order with the shop's hash. */
const ADDED: readonly (readonly [option: string, added: Fields])[] = [
  ['webhook', { webhook: WEBHOOK }],
  ['webhook', { webhooks: `[${WEBHOOK}]` }],
  ['authorize', { authorize: true }],
  ['store_card', { store_card: true }],
  ['template_id', { template_id: 5 }],
]

async function codesOf(browser: Client, added: Fields) {
  const paid = await browser.post('/v1/transactions', payment({ merchant_id: 1, ...added }))
  const form = await browser.post('/v1/form', payment({ merchant_id: 1, ...URLS, ...added }))
  const page = await browser.post(
    '/v1/form',
    prepared({ merchant_id: 1, process: undefined, ...added }),
  )
  const sentTo = [form, page].map(({ headers }) =>
    new URL(headers.get('location') ?? '').searchParams.get('error_name'),
  )
  return [paid.body.code ?? 200, ...sentTo]
}

const TAKEN = [200, null, null]
const REFUSED = [253, 'errors.request.bad_format', 'errors.request.bad_format']

describe('without a login', () => {
  for (const [option, added] of ADDED) {
    const [name = ''] = Object.keys(added)
    const byDefault = option === 'webhook' || option === 'store_card'

    test(`${name} is ${byDefault ? 'accepted, as old browser clients send it' : 'rejected'} by default`, async () => {
      expect(await codesOf(usual.browser, added)).toEqual(byDefault ? TAKEN : REFUSED)
    })

    test(`${name} is rejected with a reason if payer_options does not list it`, async () => {
      expect(await codesOf(closed.browser, added)).toEqual(REFUSED)
      const { headers } = await closed.browser.post(
        '/v1/transactions',
        payment({ merchant_id: 1, ...added }),
      )
      expect(headers.get('mondido-explain')).toContain(`payer_options`)
      expect(headers.get('mondido-explain')).toContain(option)
    })

    test(`${name} is accepted if payer_options lists it`, async () => {
      expect(await codesOf(open.browser, added)).toEqual(TAKEN)
    })
  }

  test('options with an empty or default value are always accepted, because old forms send all their fields', async () => {
    for (const added of [
      { authorize: false, store_card: false },
      { authorize: '', webhook: '', template_id: '' },
      { webhook: '[]' },
    ])
      expect(await codesOf(closed.browser, added)).toEqual(TAKEN)
  })
})

test('a request with a login can set every option', async () => {
  for (const [, added] of ADDED)
    expect((await closed.post('/v1/transactions', payment(added))).status).toBe(200)
})

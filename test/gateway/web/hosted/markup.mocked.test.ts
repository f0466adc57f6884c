import { expect, test, vi } from 'vitest'
import {
  CARD,
  type Fields,
  hashed,
  MERCHANT,
  prepared,
  preparePage,
} from '../../../helpers/gateway.ts'
import { expectEscaped } from '../../../helpers/markup.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'
import { controlOf } from '../control/client.ts'

vi.mock('../../../../mock-gateway/web/hosted/texts/en.ts', async (importActual) => {
  const { en } =
    await importActual<typeof import('../../../../mock-gateway/web/hosted/texts/en.ts')>()
  const { withMarkup } = await import('../../../helpers/markup.ts')
  return { en: withMarkup(en) }
})

const MARKUP = `"'><img src=x onerror=alert(1)>`

const SELLER = {
  ...MERCHANT,
  id: 2,
  name: MARKUP,
  settings: {
    wallets: ['apple_pay' as const],
    payer_details: ['email' as const, 'country_code' as const],
    payment_methods: ['credit_card' as const, 'invoice' as const, 'swish' as const],
  },
}

const APP = {
  ...MERCHANT,
  id: 3,
  name: MARKUP,
  secret: 'secret of the app',
  settings: { form_in_place: true },
}

const gateway = await sharedGateway({ merchants: [MERCHANT, SELLER, APP] })
const shop = gateway.as(SELLER)

const ORDER: Fields = {
  locale: 'en',
  items: JSON.stringify([{ artno: MARKUP, description: MARKUP, amount: '10.00', qty: 1, vat: 0 }]),
  metadata: JSON.stringify({ [MARKUP]: MARKUP }),
  error_url: 'https://shop.example/sorry',
  success_url: 'https://shop.example/thanks',
}

const prepare = async (over: Fields = {}) => (await preparePage(shop, { ...ORDER, ...over })).path

const open = async (path: string, selected = 'credit_card') =>
  (await gateway.browser.get<string>(`${path}?lang=en&payment.selected=${selected}`)).body

const send = async (path: string, fields: Fields) =>
  (await gateway.browser.submit(`${path}?lang=en`, fields)).body

const PAYER = { email: 'kim@example.com', country_code: 'SWE' }

test.each(['credit_card', 'apple_pay', 'invoice', 'swish'])(
  'markup in every text of the form is text: %s',
  async (selected) => {
    expectEscaped(await open(await prepare(), selected))
  },
)

test('markup in every text is text, also in the values and problems of a submitted form', async () => {
  const typed = { ...CARD, ...PAYER, card_number: '1', email: MARKUP, card_holder: MARKUP }
  expectEscaped(await send(await prepare(), typed))
  const payer = { payment_method: 'invoice', step: 'payer', phone: MARKUP, email: MARKUP }
  expectEscaped(await send(await prepare(), { ...payer, personal_number: MARKUP }))
})

test('markup in every text of a stored card is text', async () => {
  await shop.post('/v1/stored_cards', {
    ...CARD,
    card_type: 'VISA',
    currency: 'sek',
    test: true,
    customer_ref: 'c7',
  })
  const page = await open(await prepare({ customer_ref: 'c7' }))
  expect(page).toContain('id="saved-cards"')
  expectEscaped(page)
})

test('markup in every text of the simulator, the receipt and the end is text', async () => {
  const asked = await prepare()
  await send(asked, { ...PAYER, payment_method: 'swish', swish_number: '0701234567' })
  const simulator = await open(asked)
  expect(simulator).toContain('id="simulator"')
  expectEscaped(simulator)
  const paid = await prepare()
  await send(paid, { ...CARD, ...PAYER })
  const receipt = await open(paid)
  expect(receipt).toContain('id="print"')
  expectEscaped(receipt)
  const late = await prepare()
  await controlOf(gateway.gateway).post('/clock', { advance_seconds: 86_400 })
  const end = await open(late)
  expect(end).toContain('errors.transaction.timeout')
  expectEscaped(end)
})

const CHALLENGED = { ...CARD, card_number: '4000000000001091' }

test('markup in every text of the page that waits for the bank is text', async () => {
  const path = await prepare()
  await send(path, { ...CHALLENGED, ...PAYER })
  const waiting = await open(path)
  expect(waiting).toContain('id="minutes"')
  expectEscaped(waiting)
})

test("markup in every text of the bank's frame, and of the page that leads out of it, is text", async () => {
  const order = { ...prepared(ORDER), process: undefined, merchant_id: APP.id }
  const form = await send('/v1/form', hashed(order, APP))
  const [, page_token = ''] = /name="page_token" value="([\w-]+)"/.exec(form) ?? []
  const frame = await send('/v1/form', { ...CHALLENGED, page_token })
  expect(frame).toContain('class="bank-frame"')
  expectEscaped(frame)
  const after = await open(`/v1/form/${page_token}/result`)
  expect(after).toContain('id="after-bank"')
  expectEscaped(after)
})

test('markup in every text of a payment link is text', async () => {
  const { body } = await controlOf(gateway.gateway).post<{ url: string }>('/payment-links', {
    merchant_id: 2,
    amount: '10.00',
    currency: 'sek',
    description: MARKUP,
  })
  expectEscaped(await open(new URL(body.url).pathname))
})

test('markup in every text of an unknown address is text', async () => {
  expectEscaped(await open('/v1/form/unknown'))
})

import { expect, test, vi } from 'vitest'
import type * as Methods from '../../../../mock-gateway/domain/order/payment-methods.ts'
import { prepared } from '../../../helpers/gateway.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'

/** Invented payment method: a row of the table, and its texts in each language. */
const { ROW, WORDS } = vi.hoisted(() => ({
  ROW: {
    answers: { approved: null, canceled: { kind: 'declined', error: 'errors.payment.canceled' } },
    minutes: 7,
  },
  WORDS: {
    name: 'Acorns',
    intro: 'You pay with acorns.',
    approval: 'Count your acorns',
    follows: 'How many acorns',
  },
}))

vi.mock('../../../../mock-gateway/domain/order/payment-methods.ts', async (importActual) => {
  const actual = await importActual<typeof Methods>()
  const { paypal } = actual.PAYMENT_METHODS
  const acorns = {
    ...paypal,
    transactionType: 'acorns',
    approval: ROW,
    page: { form: 'approval' },
  }
  Object.assign(actual.PAYMENT_METHODS, { acorns })
  return { ...actual, PAGE_METHODS: [...actual.PAGE_METHODS, 'acorns'] }
})
vi.mock('../../../../mock-gateway/web/hosted/texts/en.ts', async (importActual) => {
  const { en } = await importActual<{ en: { methods: object } }>()
  return { en: { ...en, methods: { ...en.methods, acorns: WORDS } } }
})

const shop = await sharedGateway({ madeUpRows: true })

const { submit: send } = shop.browser
const open = async (path: string) => (await shop.browser.send<string>('GET', path)).body

async function pay(answer: string) {
  const { body } = await shop.post('/v1/transactions', prepared({ locale: 'en' }))
  const path = new URL(body.href).pathname
  const form = await open(`${path}?payment.selected=acorns`)
  await send(path, { payment_method: 'acorns' })
  const simulator = await open(path)
  await send(path, { action: 'answer', answer })
  return { form, simulator, paid: (await shop.get(`/v1/transactions/${body.id}`)).body }
}

test('a payment method that is added as a table row is offered with its own texts, and can pay', async () => {
  const { form, simulator, paid } = await pay('approved')
  expect(form).toContain('payment.selected=acorns" aria-current="true"')
  expect(form).toContain(WORDS.intro)
  expect(form).toContain(`<li>${WORDS.follows}</li>`)
  expect(form).toMatch(/name="payment_method" value="acorns"[\s\S]*Continue to Acorns/)
  expect(simulator).toContain(`<h1>${WORDS.approval}</h1>`)
  expect([...simulator.matchAll(/name="answer" value="(\w+)"/g)].map(([, value]) => value)).toEqual(
    Object.keys(ROW.answers),
  )
  expect(simulator).not.toMatch(/Swish|PayPal|your bank/i)
  expect(paid).toMatchObject({
    status: 'approved',
    payment_method: 'acorns',
    transaction_type: 'acorns',
  })
})

test('the added method has the errors of its row', async () => {
  expect((await pay('canceled')).paid).toMatchObject({
    status: 'declined',
    error: { name: 'errors.payment.canceled' },
  })
})

test('a merchant can offer only the added method', async () => {
  const { body } = await shop.post(
    '/v1/transactions',
    prepared({ payment_method: 'acorns', process: 'true' }),
  )
  expect(body).toMatchObject({ status: 'pending', payment_method: 'acorns' })
})

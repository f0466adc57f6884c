import { expect, test } from 'vitest'
import { TEST_CARDS } from '../../../../mock-gateway/domain/card/test-cards.ts'
import { errorBody, findEntryByName } from '../../../../mock-gateway/domain/errors/errors.ts'
import { LIMITS } from '../../../../mock-gateway/parsing/parameters/limits.ts'
import { CARD, type Fields, payment, prepared } from '../../../helpers/gateway.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'
import { encrypt } from '../../conformance/encrypt.ts'
import { loggedIn, textOf } from '../console/client.ts'

const shop = await sharedGateway()

type Sent = { readonly status: number; readonly headers: Headers }
const explained = ({ status, headers }: Sent) => [status, headers.get('mondido-explain')]
const pay = async (over: Fields = {}) => shop.post('/v1/transactions', payment(over))

test.for([
  ['currnecy', '`currnecy` is not a parameter of this call. Did you mean `currency`?'],
  ['paymentRef', '`paymentRef` is not a parameter of this call. Did you mean `payment_ref`?'],
  ['cheese', '`cheese` is not a parameter of this call.'],
  ['reason', '`reason` is not used by a new transaction.'],
  [
    'metadata.order',
    '`metadata.order` is not a parameter of this call. Did you mean `metadata[order]`?',
  ],
  [
    'items[0].artno',
    '`items[0].artno` is not a parameter of this call. Did you mean `items[0][artno]`?',
  ],
  ['metadata.4111111111111111', 'A parameter is not a parameter of this call.'],
  ['4111111111111111', 'A parameter is not a parameter of this call.'],
] as const)('a new transaction explains that %s is not used', async ([name, says]) => {
  expect(explained(await pay({ [name]: 'x' }))).toEqual([200, says])
})

test('a capture explains that the currency is not used', async () => {
  const { body } = await pay({ authorize: true })
  const path = `/v1/transactions/${body.id}/capture`
  const answer = await shop.put(path, { amount: body.amount, currency: 'eur' })
  expect(explained(answer)).toEqual([200, '`currency` is not used by a capture.'])
})

test('a list, a single resource and an update name the parameters that they do not use', async () => {
  const { body } = await shop.post('/v1/transactions', prepared())
  const answers = [
    await shop.get('/v1/transactions', { fliter: 'x' }),
    await shop.get(`/v1/transactions/${body.id}`, { order_by: 'id' }),
    await shop.put(`/v1/transactions/${body.id}`, {
      process: false,
      success_url: 'https://shop.example',
    }),
  ]
  expect(answers.map(explained)).toEqual([
    [200, '`fliter` is not a parameter of this call. Did you mean `filter`?'],
    [200, '`order_by` is not used by this call.'],
    [200, '`success_url` is not used by an update.'],
  ])
})

test('a rejection also explains a misspelt parameter', async () => {
  const { headers } = await shop.post('/v1/refunds', { transaction_id: 0, amuont: '1.00' })
  expect(headers.get('mondido-explain')).toContain(
    '. `amuont` is not a parameter of this call. Did you mean `amount`?',
  )
})

test('at most five unused parameters are named', async () => {
  const many = Object.fromEntries(
    ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((letter) => [letter.repeat(9), 'x']),
  )
  const [, explain] = explained(await pay(many))
  expect(explain).toMatch(
    /`eeeeeeeee` is not a parameter of this call\. 2 more parameters are not used\.$/,
  )
})

test.for([
  'hash',
  'utf8',
  'authenticity_token',
  '_',
  'ts',
  'start_id',
  'lang',
  'extend',
  'metadata',
])('old clients may send %s with every call', async (name) => {
  const { headers } = await shop.post('/v1/customers', { ref: name, [name]: '{}' })
  expect(headers.get('mondido-explain')).toBeNull()
})

test("a payer's browser gets notes on misspelt names only, because forms contain fields of the shop", async () => {
  const form = payment({ merchant_id: 1, newsletter: 'on', reason: 'x', card_hodler: 'x' })
  const answer = await shop.browser.post('/v1/transactions', form)
  expect(explained(answer)).toEqual([
    200,
    '`card_hodler` is not a parameter of this call. Did you mean `card_holder`?',
  ])
})

test('a body in the wrong format does not repeat its card', async () => {
  const body = JSON.stringify({ ...payment(), ...CARD })
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  const { headers } = await shop.send('POST', '/v1/transactions', body, type)
  for (const number of TEST_CARDS.keys())
    expect(headers.get('mondido-explain')).not.toContain(number)
})

test('the console marks the request, and lists a finding', async () => {
  await pay({ currnecy: 'sek' })
  const client = await loggedIn(shop.gateway)
  const { html } = await client.get('/1/requests')
  expect(html).toContain('<span class="is waiting word">200</span>')
  expect(textOf(html)).toContain('currnecy is not a parameter of this call.')
  const findings = textOf((await client.get('/1/findings')).html)
  expect(findings).toContain('A parameter is not used')
  expect(findings).toContain('currnecy was not used.')
})

test.for([
  ['eng', '`locale=eng` is not supported. It can be sv or en.'],
  ['1234567', 'The value of `locale` is not supported. It can be sv or en.'],
] as const)('the explanation names an unsupported locale: %s', async ([locale, says]) => {
  const { status, headers } = await shop.post('/v1/transactions', prepared({ locale }))
  expect([status, headers.get('mondido-explain')]).toEqual([200, says])
})

test.for(['sv', 'EN', ''])('the locale "%s" needs no explanation', async (locale) => {
  const { headers } = await shop.get('/v1/plans', { locale })
  expect(headers.get('mondido-explain')).toBeNull()
})

test('the explanation names an unsupported language (lang) of a page', async () => {
  const { body } = await shop.post('/v1/transactions', prepared())
  const { headers } = await shop.browser.get(`${new URL(body.href).pathname}?lang=de`)
  expect(headers.get('mondido-explain')).toBe('`lang=de` is not supported. It can be sv or en.')
})

test.for(['sv', 'en'] as const)(
  'the error of a too large body names the command for large data, in %s',
  async (locale) => {
    const large = { note: 'x'.repeat(LIMITS.bodyBytes) }
    const { status, body, headers } = await shop.post(`/v1/transactions?locale=${locale}`, large)
    const entry = findEntryByName('errors.request.bad_format')
    expect([status, body]).toEqual([400, entry && errorBody(entry, locale)])
    expect(headers.get('mondido-explain')).toContain('mondido-gateway --fixtures file')
  },
)

test("error 107 links to the hash checker in a payer's browser, too, without card data and long values", async () => {
  const sent = payment({
    merchant_id: 1,
    hash: 'x',
    customer_ref: '4111111111111111',
    payment_ref: 'a'.repeat(65),
  })
  const { headers } = await shop.browser.post('/v1/transactions', sent)
  const link = new URL(headers.get('mondido-explain')?.split(' Check the hash: ')[1] ?? '')
  expect(link.pathname).toBe('/console/1/hash')
  expect(link.searchParams.get('amount')).toBe(String(sent.amount))
  expect(link.searchParams.has('payment_ref')).toBe(false)
  expect(link.search).not.toContain('4111111111111111')
})

test('the link to the hash checker omits encrypted values', async () => {
  const sent = payment({ merchant_id: 1, hash: 'x', amount: encrypt('10.00'), encrypted: 'amount' })
  const { headers } = await shop.browser.post('/v1/transactions', sent)
  const link = new URL(headers.get('mondido-explain')?.split(' Check the hash: ')[1] ?? '')
  expect([link.searchParams.has('amount'), link.searchParams.has('payment_ref')]).toEqual([
    false,
    true,
  ])
})

import { describe, expect, test } from 'vitest'
import { hashed, MERCHANT, payment, prepared } from '../../../helpers/gateway.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'

const shop = await sharedGateway()

/** Returns a prepared transaction with its hash. */
const order = (over: Readonly<Record<string, unknown>> = {}): Record<string, unknown> => ({
  ...hashed(prepared(), shop.merchant),
  ...over,
})

const form = (fields: Readonly<Record<string, unknown>>) =>
  String(new URLSearchParams(fields as Record<string, string>))
const base64 = (text: string) => Buffer.from(text).toString('base64')

const send = (type: string, body: string) =>
  shop.send('POST', '/v1/transactions', body, { 'content-type': type })
const sendForm = (fields: Readonly<Record<string, unknown>>) =>
  send('application/x-www-form-urlencoded', form(fields))
const sendJson = (fields: Readonly<Record<string, unknown>>) =>
  send('application/json', JSON.stringify(fields))

describe('metadata is the same object in every spelling', () => {
  const metadata = { store_order: { id: '5' }, name: 'Åsa & Co' }
  const json = JSON.stringify(metadata)
  for (const [spelling, fields] of [
    ['JSON text', { metadata: json }],
    ['brackets', { 'metadata[store_order][id]': '5', 'metadata[name]': 'Åsa & Co' }],
    ['quoted keys', { 'metadata["store_order"]["id"]': '5', "metadata['name']": 'Åsa & Co' }],
    ['URL-encoded JSON', { metadata: encodeURIComponent(json) }],
    ['base64 of JSON', { metadata: base64(json) }],
    ['base64 with line breaks', { metadata: base64(json).replace(/.{20}/g, '$&\r\n') }],
  ] as const)
    test(spelling, async () =>
      expect((await sendForm(order(fields))).body.metadata).toEqual(metadata),
    )

  test('as an object in a JSON body', async () =>
    expect((await sendJson(order({ metadata }))).body.metadata).toEqual(metadata))
  test('as JSON text in a JSON body', async () =>
    expect((await sendJson(order({ metadata: json }))).body.metadata).toEqual(metadata))
})

test('numeric keys in brackets are keys of an object', async () => {
  const { body } = await sendForm(
    order({ 'metadata[products][1][name]': 'Cup', 'metadata[products][2][name]': 'Tea' }),
  )
  expect(body.metadata).toEqual({ products: { 1: { name: 'Cup' }, 2: { name: 'Tea' } } })
})

test('metadata keeps the types of JSON', async () => {
  const metadata = { n: 1.5, t: true, f: false, z: null, list: [1, [2], {}], empty: {} }
  expect((await sendForm(order({ metadata: JSON.stringify(metadata) }))).body.metadata).toEqual(
    metadata,
  )
})

for (const [what, fields] of [
  ['not sent', {}],
  ['empty', { metadata: '' }],
  ['null', { metadata: 'null' }],
  ['an empty list, as PHP writes an empty array', { metadata: '[]' }],
] as const)
  test(`metadata that is ${what} is null`, async () =>
    expect((await sendForm(order(fields))).body.metadata).toBeNull())

describe('items are the same list in every spelling', () => {
  const items = [
    { artno: 'A', description: 'Cup', amount: '12.00', qty: '1', vat: '25' },
    { artno: 'discount', description: 'Friend', amount: '-2.00', qty: '1', vat: '0' },
  ]
  const brackets = items.flatMap((item, row) =>
    Object.entries(item).map(([key, value]) => [`items[${row}][${key}]`, value]),
  )
  for (const [spelling, fields] of [
    ['JSON text', { items: JSON.stringify(items) }],
    ['brackets', Object.fromEntries(brackets)],
    ['URL-encoded JSON', { items: encodeURIComponent(JSON.stringify(items)) }],
  ] as const)
    test(spelling, async () => expect((await sendForm(order(fields))).body.items).toEqual(items))
  test('as a list in a JSON body', async () =>
    expect((await sendJson(order({ items }))).body.items).toEqual(items))
  test('also if the list is empty', async () =>
    expect((await sendForm(order())).body.items).toEqual([]))
})

describe('a webhook is attached in every spelling', () => {
  const hook = {
    url: 'https://shop.example/hook?wp_hook=1',
    trigger: 'payment',
    http_method: 'post',
    data_format: 'form_data',
  }
  const stored = {
    ...hook,
    type: 'CustomHttp',
    email: null,
    response: null,
    request_body: null,
    id: expect.any(Number),
  }
  const brackets = Object.fromEntries(
    Object.entries(hook).map(([key, value]) => [`webhook[${key}]`, value]),
  )
  const numbered = Object.fromEntries(
    Object.entries(hook).map(([key, value]) => [`webhook[0][${key}]`, value]),
  )
  for (const [spelling, fields] of [
    ['JSON text of an object', { webhook: JSON.stringify(hook) }],
    ['JSON text of a list', { webhook: JSON.stringify([hook]) }],
    ['the name webhooks', { webhooks: JSON.stringify([hook]) }],
    ['brackets', brackets],
    ['numbered brackets', numbered],
  ] as const)
    test(spelling, async () =>
      expect((await sendForm(order(fields))).body.webhooks).toMatchObject([stored]),
    )

  test('as JSON text inside a JSON body, with two webhooks', async () => {
    const second = { url: 'https://shop.example/refunds', trigger: 'refund' }
    const { body } = await sendJson(order({ webhook: JSON.stringify([hook, second]) }))
    expect(body.webhooks).toMatchObject([
      stored,
      { ...second, type: 'CustomHttp', http_method: 'post', data_format: 'json' },
    ])
  })

  test('as an e-mail address', async () => {
    const webhook = { trigger: 'payment_success', email: 'kim@shop.example' }
    const { body } = await sendForm(order({ webhook: JSON.stringify(webhook) }))
    expect(body.webhooks).toMatchObject([
      { ...webhook, type: 'Email', url: null, http_method: null, data_format: null },
    ])
  })

  for (const email of [null, 'kim@shop.example'])
    test(`as a receipt to ${email ?? 'the payer'}`, async () => {
      const { body } = await sendJson(
        order({ webhook: { type: 'receipt', trigger: 'payment', email } }),
      )
      expect(body.webhooks).toMatchObject([
        { type: 'receipt', email, url: null, http_method: null, data_format: null },
      ])
    })

  test('an unset value is undefined', async () =>
    expect((await sendForm(order({ webhook: '' }))).body.webhooks).toEqual([]))
})

describe('payment_details', () => {
  for (const [spelling, fields] of [
    [
      'JSON text',
      { payment_details: '{"first_name":"Kim","last_name":"Berg","country_code":"SWE"}' },
    ],
    [
      'brackets',
      {
        'payment_details[first_name]': 'Kim',
        'payment_details[last_name]': 'Berg',
        'payment_details[country_code]': 'SWE',
      },
    ],
  ] as const)
    test(`in ${spelling} are answered among all fields, and name the customer`, async () => {
      const { body } = await sendForm(order(fields))
      expect(body.payment_details).toMatchObject({
        first_name: 'Kim',
        last_name: 'Berg',
        country_code: 'SWE',
        ssn: null,
      })
      expect(body.customer_name).toBe('Kim Berg')
    })

  test('cannot make a card look valid', async () => {
    const { body } = await sendForm(
      order({ payment_details: '{"card_number":"4111111111111111","city":"Umeå"}' }),
    )
    expect(body.payment_details).toMatchObject({ card_number: null, city: 'Umeå' })
  })
})

describe('an unset value', () => {
  const names = [
    'plan_id',
    'webhook',
    'customer_ref',
    'authorize',
    'encrypted',
    'store_card',
    'items',
    'vat_amount',
  ]
  test('can be an empty text', async () => {
    const empty = Object.fromEntries(names.map((name) => [name, '']))
    expect((await sendForm(order(empty))).body).toMatchObject({
      status: 'pending',
      authorize: false,
      customer: null,
    })
  })
  test('can be a name without an equals sign', async () => {
    const { status } = await send(
      'application/x-www-form-urlencoded',
      `${form(order())}&${names.join('&')}`,
    )
    expect(status).toBe(200)
  })
})

for (const [sent, meant] of [
  ['true', true],
  ['TRUE', true],
  ['1', true],
  ['false', false],
  ['0', false],
  ['', false],
] as const)
  test(`authorize=${sent} means ${meant}`, async () => {
    expect((await sendForm(order({ authorize: sent }))).body.authorize).toBe(meant)
  })

describe('a JSON body', () => {
  test('can have real booleans', async () => {
    const { body } = await sendJson(order({ test: true, process: false, authorize: true }))
    expect(body).toMatchObject({ test: true, status: 'pending', authorize: true })
  })

  test('can have the amount as a number, whose decimals count', async () => {
    const text = JSON.stringify(order()).replace('"amount":"10.00"', '"amount":10.00')
    expect((await send('application/json', text)).body.amount).toBe('10.00')
  })

  for (const amount of ['10', '10.0'])
    test(`can have an amount as the number ${amount}, with a hash over 10.00`, async () => {
      const sent = JSON.stringify(order()).replace('"amount":"10.00"', `"amount":${amount}`)
      const { headers, body } = await send('application/json', sent)
      expect(body).toMatchObject({ status: 'pending', amount })
      expect(headers.get('mondido-explain')).toContain('Send amounts as text with two decimals')
    })

  test('cannot have an amount whose hash is over another amount', async () => {
    for (const amount of ['10.5', '10.005', '1e1', '-10.00']) {
      const sent = JSON.stringify(order()).replace('"amount":"10.00"', `"amount":${amount}`)
      expect((await send('application/json', sent)).body.code).toBe(107)
    }
  })

  test('a JSON body with a number as amount gets the note that amounts are text', async () => {
    const paid = JSON.stringify(hashed(payment(), MERCHANT)).replace(
      '"amount":"10.00"',
      '"amount":10',
    )
    const { headers, body } = await send('application/json', paid)
    expect(body.code).toBe(1090)
    expect(headers.get('mondido-explain')).toContain('In JSON, send it as a string')
  })

  test('cannot have one parameter twice', async () => {
    const twice = JSON.stringify(order()).replace(
      '"amount":"10.00"',
      '"amount":"10.00","amount":"1.00"',
    )
    expect((await send('application/json', twice)).body.code).toBe(252)
  })
})

test('a form mislabelled as multipart without a boundary is read as a form', async () => {
  expect((await send('multipart/form-data', form(order()))).body.status).toBe('pending')
})

test('a parameter with two values is rejected, and no value is chosen', async () => {
  const { body } = await send('application/x-www-form-urlencoded', `${form(order())}&amount=1.00`)
  expect(body.code).toBe(253)
})

test('a parameter with one value in the query and another in the body is rejected, too', async () => {
  const { body } = await shop.send('POST', '/v1/transactions?amount=1.00', form(order()))
  expect(body.code).toBe(253)
})

test('text that is not UTF-8 is rejected with error 200', async () => {
  expect(
    (await send('application/x-www-form-urlencoded', `${form(order())}&metadata[a]=%FF`)).body.code,
  ).toBe(200)
})

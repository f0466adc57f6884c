import { expect } from 'vitest'
import type { StoredCard } from '../../../mock-gateway/contract/wire.ts'
import { CARD, MERCHANT } from '../../helpers/gateway.ts'
import { row, type Section } from './rows.ts'
import { sent } from './sent.ts'
import { fieldRows } from './types.ts'
import { ITEMS, PAYER, STORABLE } from './world.ts'

export const STORED_CARD: Section = {
  title: 'Stored card',
  rows: fieldRows(
    [
      ['id', 'integer', '', ({ storedCard }) => expect(storedCard.id).toBeGreaterThan(0)],
      ['created_at', 'datetime', 'UTC'],
      [
        'token',
        'string',
        'used as card number in later transactions',
        ({ paidByToken, storedCard }) =>
          expect(paidByToken.stored_card).toEqual({ id: storedCard.id }),
      ],
      ['card_holder', 'string', '', { storedCard: 'Anna Andersson' }],
      ['card_number', 'string', 'masked', { storedCard: '411111******1111' }],
      ['card_type', 'string', '', { storedCard: 'VISA' }],
      ['status', 'string', 'active or cancelled', { storedCard: 'active' }],
      ['currency', 'string', '', { storedCard: 'SEK' }],
      ['expires', 'datetime', '', { storedCard: '2030-12-31T23:59:59Z' }],
      ['ref', 'string or null', '', { storedCard: 'c42' }],
      ['merchant_id', 'integer', '', { storedCard: MERCHANT.id }],
      ['test', 'boolean', '', { storedCard: true }],
      [
        'transaction',
        'string or null',
        'serialized transaction that created or last used it',
        ({ storedCard, paidByToken }) =>
          expect(JSON.parse(storedCard.transaction ?? '')).toEqual(paidByToken),
      ],
      [
        'recurring',
        'boolean',
        'kept for plans and subscriptions only',
        async ({ storedCard, post, pay, plan }) => {
          expect(storedCard.recurring).toBe(false)
          const { recurring, token } = (
            await post<StoredCard>('/v1/stored_cards', { ...STORABLE, recurring: true })
          ).body
          expect(recurring).toBe(true)
          const byToken = { card_number: token, card_type: 'STORED_CARD' }
          expect((await pay(byToken)).body.code).toBe(1680)
          expect((await pay({ ...byToken, plan_id: plan.id })).body.status).toBe('approved')
        },
      ],
      [
        'customer',
        'object',
        'holds id',
        ({ storedCard, customer }) => expect(storedCard.customer).toEqual({ id: customer.id }),
      ],
    ],
    ({ storedCard }) => [storedCard],
  ),
}

/** Fields of an item. Sent fields are returned; missing or too long fields are rejected. */
const ITEM_FIELDS = [
  ['artno', 'string, at most 50 characters, required: article number', 2503],
  ['description', 'string, at most 150 characters, required', 255],
  ['amount', 'integer, required: total price of all units', 257],
  ['qty', 'string, required: quantity', 2511],
  ['vat', 'string, required: rate, not verified', 2502],
] as const

export const ITEM: Section = {
  title: 'Item',
  rows: [
    ...ITEM_FIELDS.map(([name, says, code]) =>
      row(`${name} is ${says}`, async ({ paid, prepare }) => {
        expect(paid.items[0]?.[name]).toBe(ITEMS[0]?.[name])
        const [{ [name]: _left, ...rest } = {}] = [
          { ...ITEMS[0], amount: 10 } as Record<string, unknown>,
        ]
        const bought = { payment_method: 'invoice', payment_details: JSON.stringify(PAYER) }
        expect((await prepare({ ...bought, items: JSON.stringify([rest]) })).body.code).toBe(code)
      }),
    ),
    row('discount is string, not required: not verified', async ({ paid }) =>
      expect(paid.items[0]?.discount).toBe('0'),
    ),
  ],
}

export const WEBHOOK: Section = {
  title: 'Webhook',
  rows: [
    ...fieldRows(
      [
        ['id', 'integer', '', ({ httpWebhook }) => expect(httpWebhook.id).toBeGreaterThan(0)],
        ['created_at', 'datetime'],
        [
          'type',
          'string',
          'CustomHttp, Email',
          { httpWebhook: 'CustomHttp', emailWebhook: 'Email' },
        ],
        ['http_method', 'string where it applies', 'post or get', { httpWebhook: 'post' }],
        [
          'url',
          'string where it applies',
          'target of an HTTP webhook',
          { httpWebhook: 'https://shop.example/hook' },
        ],
        ['trigger', 'string', 'event that fires it', { httpWebhook: 'payment' }],
        [
          'data_format',
          'string where it applies',
          'json, form_data or xml',
          { httpWebhook: 'json' },
        ],
      ],
      ({ httpWebhook, emailWebhook }) => [httpWebhook, emailWebhook],
    ),
    row('email is string: address used by an e-mail webhook', ({ emailWebhook }) =>
      expect(emailWebhook.email).toBe('orders@shop.example'),
    ),
    sent(
      'response is object: code, body, message, headers, error of the target’s answer',
      async (shop) => {
        shop.sink.answer(
          (response) => void response.writeHead(201, { 'x-handler': 'a' }).end('Taken'),
        )
        const transaction = await shop.pay()
        await shop.attempted(1)
        expect((await shop.webhook(transaction)).response).toMatchObject({
          code: 201,
          body: 'Taken',
          message: 'Created',
          headers: { 'x-handler': 'a' },
          error: null,
        })
      },
    ),
    sent('request_body is string: body that was sent', async (shop) => {
      const transaction = await shop.pay()
      await shop.attempted(1)
      const [call] = await shop.sink.calls(1)
      expect((await shop.webhook(transaction)).request_body).toBe(call?.body)
    }),
  ],
}

const DETAILS =
  'customer_number personal_number first_name last_name zip country_code country address city bank_name bank_acc_lastdigits phone ssn card_issuer credit_or_debit card_country_code campaign segmentation company_name address_1 address_2 swish_number vipps_number email phone_prefix state_or_province gender'

export const PAYMENT_DETAILS: Section = {
  title: 'Payment details',
  rows: [
    row('id', ({ paid }) => expect(paid.payment_details?.id).toEqual(expect.any(Number))),
    ...(['card_number', 'card_holder', 'card_type'] as const).map((name) =>
      row(`${name} follows from the card`, ({ paid }) =>
        expect(paid.payment_details?.[name]).toBe(paid[name]),
      ),
    ),
    ...DETAILS.split(' ').map((name) =>
      row(
        `${name} is what was sent, and null when it does not apply`,
        async ({ prepare, authorized }) => {
          const { body } = await prepare({ [`payment_details[${name}]`]: 'x 1' })
          expect(body.payment_details).toMatchObject({ [name]: 'x 1' })
          expect(authorized.payment_details).toMatchObject({ [name]: null })
        },
      ),
    ),
  ],
}

export const METADATA: Section = {
  title: 'Metadata',
  rows: [
    row('is a schemaless JSON object whose keys and nesting are free', async ({ prepare }) => {
      const metadata = { products: [{ name: 'Cup', sizes: [1, null, { deep: true }] }], åäö: 'ja' }
      expect((await prepare({ metadata: JSON.stringify(metadata) })).body.metadata).toEqual(
        metadata,
      )
    }),
    row(
      'service_instructions.fail_as_code makes a test transaction fail with the named error',
      async ({ pay }) => {
        const { body } = await pay({
          metadata: '{"service_instructions":{"fail_as_code":"errors.amount.excess"}}',
        })
        expect(body).toMatchObject({ name: 'errors.amount.excess', code: 134 })
      },
    ),
    row(
      'service_instructions.fail_as_message makes a test transaction fail with a free text',
      async ({ pay }) => {
        const { body } = await pay({
          metadata: '{"service_instructions":{"fail_as_message":"Full moon"}}',
        })
        expect(body.description).toBe('Full moon')
      },
    ),
    row('can be shown on the hosted page and in receipts', async ({ prepare, browser }) => {
      const metadata = JSON.stringify({ delivery: { note: 'Leave at the door' }, tags: ['gift'] })
      const path = new URL((await prepare({ metadata })).body.href).pathname
      await browser.submit(path, CARD)
      const { body } = await browser.get<string>(path)
      expect(body).toContain('<dt>delivery.note</dt><dd>Leave at the door</dd>')
      expect(body).toContain('<dt>tags.0</dt><dd>gift</dd>')
    }),
    row(
      'an input of the hosted page named metadata["<key>"] writes a metadata key',
      async ({ prepare, browser, get }) => {
        const { id, href } = (await prepare({ metadata: '{"order":7}' })).body
        await browser.submit(new URL(href).pathname, { ...CARD, 'metadata["newsletter"]': 'on' })
        expect((await get(`/v1/transactions/${id}`)).body.metadata).toEqual({
          order: 7,
          newsletter: true,
        })
      },
    ),
  ],
}

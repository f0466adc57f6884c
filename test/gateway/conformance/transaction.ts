import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import type { Transaction } from '../../../mock-gateway/contract/wire.ts'
import { CARD, type Fields, MERCHANT, payment } from '../../helpers/gateway.ts'
import { preparedInvoice } from '../payment-methods/fields.ts'
import { controlOf } from '../web/control/client.ts'
import { row, type Section } from './rows.ts'
import { fieldRows } from './types.ts'
import { CAREFUL, ITEMS, LASTING, type World } from './world.ts'

const md5 = (text: string) => createHash('md5').update(text).digest('hex')

const URL_IN_LIQUID = (page: string) => `https://shop.example/${page}/{{ transaction.payment_ref }}`

const samples = ({ paid, paidByToken, pending, declined, failed, authorized, captured }: World) => [
  paid,
  paidByToken,
  pending,
  declined,
  failed,
  authorized,
  captured,
]

/** Specification: Resources and their fields, Transaction. */
export const TRANSACTION: Section = {
  title: 'Transaction',
  rows: [
    ...fieldRows(
      [
        ['id', 'integer', '', ({ paid }) => expect(paid.id).toBeGreaterThan(0)],
        ['created_at', 'datetime', 'UTC', { paid: '2026-03-14T12:00:00Z' }],
        [
          'processed_at',
          'datetime or null',
          'time the payment was confirmed',
          { paid: '2026-03-14T12:00:00Z', pending: null, declined: null },
        ],
        ['merchant_id', 'integer', 'the merchant’s', { paid: MERCHANT.id }],
        ['amount', 'decimal', '', { paid: '10.00' }],
        ['vat_amount', 'decimal where it applies', '', { paid: '2.00' }],
        [
          'payment_ref',
          'string',
          'merchant order id',
          ({ paid }) => expect(paid.payment_ref).toMatch(/^order-/),
        ],
        ['ref', 'string or null', 'merchant’s id of the customer', { paid: 'c42', pending: null }],
        ['card_holder', 'string where it applies', '', { paid: 'Anna Andersson' }],
        [
          'card_number',
          'string where it applies',
          'masked; of a stored card the card underneath',
          { paid: '411111******1111', paidByToken: '411111******1111' },
        ],
        ['card_expiry', 'string where it applies', 'MMYY', { paid: '1230' }],
        [
          'card_type',
          'string where it applies',
          'VISA and so on; STORED_CARD when paid with a stored card',
          { paid: 'VISA', paidByToken: 'STORED_CARD' },
        ],
        ['test', 'boolean', '', { paid: true }],
        ['currency', 'string', '', { paid: 'sek' }],
        [
          'status',
          'string',
          'see States',
          { paid: 'approved', pending: 'pending', declined: 'declined' },
        ],
        ['status_details', 'string', '', { declined: 'errors.payment.declined' }],
        [
          'fail_message',
          'string',
          'empty when no failure',
          ({ paid, declined }) =>
            expect([paid.fail_message, declined.fail_message]).toEqual([
              '',
              declined.error?.description,
            ]),
        ],
        [
          'transaction_type',
          'string or null',
          'credit_card, stored_card, or null while pending',
          { paid: 'credit_card', paidByToken: 'stored_card', pending: null },
        ],
        [
          'payment_method',
          'string',
          'credit_card, stored, invoice, swish, paypal, bank',
          async ({ paid, paidByToken, prepare }) => {
            expect([paid.payment_method, paidByToken.payment_method]).toEqual([
              'credit_card',
              'stored',
            ])
            for (const payment_method of ['swish', 'paypal', 'bank'])
              expect((await prepare({ payment_method })).body.payment_method).toBe(payment_method)
            expect((await prepare(preparedInvoice())).body.payment_method).toBe('invoice')
          },
        ],
        [
          'payment_request',
          'object',
          '',
          ({ paid }) =>
            expect(paid.payment_request).toMatchObject({
              amount: '10.00',
              card_number: '411111******1111',
            }),
        ],
        [
          'payment_response',
          'object or null',
          '',
          ({ paid, pending }) =>
            expect([paid.payment_response?.result, pending.payment_response]).toEqual([
              'approved',
              null,
            ]),
        ],
        ['template_id', 'integer or null', 'hosted page template', { paid: 3, pending: null }],
        [
          'error',
          'object or null',
          'name, code, description',
          ({ paid, declined }) =>
            expect([paid.error, Object.keys(declined.error ?? {})]).toEqual([
              null,
              ['name', 'code', 'description'],
            ]),
        ],
        [
          'cost',
          'object',
          'id, percentual_fee, fixed_fee, percentual_exchange_fee, vat_rate, total as strings',
          ({ paid, pending, declined, failed }) => {
            const fees = { percentual_fee: '0.025', fixed_fee: '0.025', total: '0.275' }
            const free = { percentual_fee: '0', fixed_fee: '0', total: '0' }
            const [id, percentual_exchange_fee, vat_rate] = [expect.any(Number), '0', '0']
            expect(paid.cost).toEqual({ ...fees, id, percentual_exchange_fee, vat_rate })
            for (const { cost } of [pending, declined, failed])
              expect(cost).toEqual({ ...free, id, percentual_exchange_fee, vat_rate })
          },
        ],
        [
          'success_url',
          'string where it applies',
          'as it was sent, templates too',
          asSent('success_url'),
        ],
        [
          'error_url',
          'string where it applies',
          'as it was sent, templates too',
          asSent('error_url'),
        ],
        ['metadata', 'object where it applies', 'free-form', { paid: { order: { id: 5 } } }],
        ['items', 'array or null', 'item objects', { paid: ITEMS }],
        ['authorize', 'boolean', 'true means reserved', { authorized: true, paid: false }],
        ['link_payment', 'boolean', 'false: created through the API', { paid: false }],
        ['mpi_ref', 'string or null', 'null without 3-D Secure', { paid: null }],
        [
          'href',
          'string',
          'leads to a page where the customer finishes the payment',
          async ({ pending, get }) =>
            expect((await get<string>(new URL(pending.href).pathname)).body).toContain('<form'),
        ],
        [
          'refunds',
          'array',
          'refund objects with amount and reason',
          ({ captured }) =>
            expect(captured.refunds).toMatchObject([{ amount: '1.00', reason: 'Broken' }]),
        ],
        [
          'refunds_all',
          'array',
          'refund objects',
          ({ captured }) => expect(captured.refunds_all).toEqual(captured.refunds),
        ],
        [
          'captures',
          'array',
          '',
          ({ captured }) => expect(captured.captures).toMatchObject([{ amount: '4.00' }]),
        ],
        [
          'org_auth_amount',
          'number',
          'original authorized amount; before that what is asked for',
          ({ captured, pending, declined }) => {
            expect([captured.amount, captured.org_auth_amount]).toEqual(['4.00', 10])
            expect([pending.org_auth_amount, declined.org_auth_amount]).toEqual([10, 10])
          },
        ],
        [
          'stored_card',
          'object or null',
          'holds id',
          ({ paid, storedCard, pending }) =>
            expect([paid.stored_card, pending.stored_card]).toEqual([{ id: storedCard.id }, null]),
        ],
        [
          'customer',
          'object or null',
          'holds id',
          ({ paid, customer, pending }) =>
            expect([paid.customer, pending.customer]).toEqual([{ id: customer.id }, null]),
        ],
        [
          'subscription',
          'object or null',
          'holds id',
          { paid: { id: expect.any(Number) }, pending: null },
        ],
        [
          'webhooks',
          'array',
          'webhook objects',
          ({ paid }) =>
            expect(paid.webhooks.map(({ type }) => type)).toEqual(['CustomHttp', 'Email']),
        ],
        [
          'payment_details',
          'object or null',
          '',
          ({ paid, pending }) =>
            expect([paid.payment_details?.first_name, pending.payment_details]).toEqual([
              'Kim',
              null,
            ]),
        ],
        ['event_context', 'object', 'is there; internal'],
        [
          'log_events',
          'array',
          'objects with id, event_type, created_at, data; event_type payment',
          ({ paid }) => {
            for (const event of paid.log_events)
              expect(Object.keys(event)).toEqual(['id', 'event_type', 'created_at', 'data'])
            expect(paid.log_events[0]?.event_type).toBe('payment')
          },
        ],
        [
          'client_info',
          'object',
          'raw_user_agent, browser, version, platform, ip, accept_language',
          ({ paid }) =>
            expect(Object.keys(paid.client_info)).toEqual([
              'raw_user_agent',
              'browser',
              'version',
              'platform',
              'ip',
              'accept_language',
            ]),
        ],
        ['currency_converter', 'object or null', 'null where nothing was offered', { paid: null }],
        ['wallet_type', 'string or null', 'null without a wallet', { paid: null }],
        [
          'dynamic_webhooks',
          'object',
          'shows the webhooks that the request attached, by trigger',
          ({ paid }) => expect(Object.keys(paid.dynamic_webhooks)).toContain('payment_success'),
        ],
        [
          'customer_name',
          'string',
          'empty when nobody is named',
          { paid: 'Kim Berg', pending: '' },
        ],
        [
          'provider_ref',
          'string',
          'empty when no bank has taken it',
          ({ paid, pending, declined }) => {
            expect(paid.payment_response?.provider_ref).toBe(paid.provider_ref)
            expect([pending.provider_ref, declined.provider_ref]).toEqual(['', ''])
          },
        ],
        [
          'request_hash',
          'string',
          'hash sent in',
          ({ paid }) => expect(paid.request_hash).toBe(paid.payment_request.hash),
        ],
        [
          'response_hash',
          'string',
          'hash returned',
          ({ paid }) =>
            expect(paid.response_hash).toBe(
              md5(`${MERCHANT.id}${paid.payment_ref}c4210.00sekapproved${MERCHANT.secret}`),
            ),
        ],
      ],
      samples,
    ),
    ...(['transaction_type', 'payment_method'] as const).map((field) =>
      row(`${field}: recurring`, async ({ recur }) =>
        expect((await recur('1230'))[field]).toBe('recurring'),
      ),
    ),
    row(
      'success_url, error_url: may contain Liquid template syntax',
      async ({ prepare, browser }) => {
        const urls = { success_url: URL_IN_LIQUID('thanks'), error_url: URL_IN_LIQUID('sorry') }
        const location = async (fields: Fields) => {
          const { href, payment_ref } = (await prepare(urls)).body
          const { headers } = await browser.submit(new URL(href).pathname, fields)
          return headers.get('location')?.replace(payment_ref, 'REF')
        }
        expect(await location(CARD)).toMatch(/^https:\/\/shop\.example\/thanks\/REF\?/)
        expect(await location({ action: 'cancel' })).toMatch(
          /^https:\/\/shop\.example\/sorry\/REF\?/,
        )
      },
    ),
    row('mpi_ref: 3-D Secure reference', async ({ prepare, browser, get }) => {
      const { id, href } = (await prepare()).body
      await browser.post(new URL(href).pathname, {
        ...CARD,
        card_number: '4000000000001000',
        hash: undefined,
      })
      expect((await get(`/v1/transactions/${id}`)).body).toMatchObject({
        status: 'approved',
        mpi_ref: expect.stringMatching(/^[0-9a-f]{32}$/),
      })
    }),
    row('wallet_type, currency_converter: how a payer has paid', async ({ gateway, as }) => {
      const control = controlOf(gateway)
      const currency_converter = '{"currency":"eur","rate":"0.1"}'
      const next = { outcome: 'approved', wallet_type: 'apple_pay', currency_converter }
      await control.post(`/payments/next?merchant_id=${LASTING.id}`, next)
      const { body } = await as(LASTING).post('/v1/transactions', payment())
      expect(body).toMatchObject({
        wallet_type: 'apple_pay',
        currency_converter: {
          amount: '1.00',
          currency: 'eur',
          rate: '0.1',
          chosen_currency: 'eur',
        },
      })
    }),
    row(
      'link_payment: true if created through a payment link',
      async ({ gateway, browser, get }) => {
        const link = await controlOf(gateway).post<{ url: string }>('/payment-links', {
          amount: '10.00',
          currency: 'sek',
        })
        await browser.send('POST', new URL(link.body.url).pathname, '')
        expect((await get<Transaction[]>('/v1/transactions?limit=1')).body[0]?.link_payment).toBe(
          true,
        )
      },
    ),
    row('log_events: event_type rules and fraud_check', async ({ as }) => {
      const careful = as(CAREFUL)
      await careful.post('/v1/transactions', payment({ payment_ref: 'ruled' }))
      await careful.post('/v1/transactions', payment({ payment_ref: 'checked', amount: '9.00' }))
      const { body } = await careful.get<Transaction[]>('/v1/transactions')
      expect(
        body.flatMap(({ log_events }) => log_events.map(({ event_type }) => event_type)),
      ).toEqual(expect.arrayContaining(['payment', 'rules', 'fraud_check']))
    }),
  ],
}

function asSent(field: 'success_url' | 'error_url') {
  return async ({ prepare }: World) => {
    const url = 'https://shop.example/{{ transaction.payment_ref }}'
    expect((await prepare({ [field]: url })).body[field]).toBe(url)
  }
}

import { expect } from 'vitest'
import { CARD, MERCHANT, prepared } from '../../helpers/gateway.ts'
import { cardOf, payerAt, queryOf } from '../three-d-secure/payer.ts'
import { openCheckoutWithBank, pressed } from './checkout.ts'
import { row, type Section } from './rows.ts'
import { sent } from './sent.ts'
import { NEIGHBOUR, posted } from './world.ts'

export const SERVICE: Section = {
  title: 'What the service does',
  rows: [
    row('a transaction is created through the REST API', ({ paid }) =>
      expect(paid.status).toBe('approved'),
    ),
    row('or from the customer’s browser', async ({ browser }) =>
      expect((await browser.post('/v1/transactions', posted())).body.status).toBe('approved'),
    ),
    row(
      'one that was not processed is paid by an update that carries card data',
      async ({ prepare, put }) => {
        const { id } = (await prepare()).body
        expect((await put(`/v1/transactions/${id}`, CARD)).body.status).toBe('approved')
      },
    ),
    row(
      'or on the hosted page at href; the customer is then redirected to success_url',
      async ({ prepare, browser, get }) => {
        const { id, href } = (await prepare()).body
        const form = new URLSearchParams(CARD)
        const { status, headers } = await browser.send('POST', new URL(href).pathname, String(form))
        expect([status, headers.get('location')]).toEqual([
          303,
          expect.stringMatching(/^https:\/\/shop\.example\/thanks\?/),
        ])
        expect((await get(`/v1/transactions/${id}`)).body.status).toBe('approved')
      },
    ),
    row('an authorization reserves money that a later capture takes', ({ captured }) =>
      expect(captured).toMatchObject({ status: 'approved', authorize: true }),
    ),
    row('a card can be stored and its token used as the card number', ({ paidByToken }) =>
      expect(paidByToken.card_type).toBe('STORED_CARD'),
    ),
    row('the shop’s order id can be added to metadata later', async ({ pay, put }) => {
      const { id } = (await pay()).body
      expect(
        (await put(`/v1/transactions/${id}`, { process: false, metadata: '{"order":7}' })).body
          .metadata,
      ).toEqual({ order: 7 })
    }),
    row(
      'error messages come in Swedish or English, by a query or a sent parameter',
      async ({ prepare, create, post }) => {
        expect((await create({ locale: 'en', hash: undefined })).body.description).toBe(
          'Hash (hash) is missing',
        )
        expect((await prepare({ locale: 'sv', hash: undefined })).body.description).toBe(
          'Kontrollsumma (hash) saknas',
        )
        const { body } = await post('/v1/transactions?locale=en', prepared({ hash: undefined }))
        expect(body.description).toBe('Hash (hash) is missing')
      },
    ),
    row(
      'the page can be shown in an iframe when the merchant account allows it',
      async ({ prepare, as, browser }) => {
        const headersOf = async (href: string) =>
          (await browser.get(new URL(href).pathname)).headers
        const allowed = await headersOf(
          (await as(NEIGHBOUR).post('/v1/transactions', prepared())).body.href,
        )
        expect(allowed.get('content-security-policy')).toContain(
          'frame-ancestors https://shop.example;',
        )
        expect(allowed.get('x-frame-options')).toBeNull()
        expect((await headersOf((await prepare()).body.href)).get('x-frame-options')).toBe('DENY')
      },
    ),
    sent(
      'a confirmation webhook is the backup when the redirect fails',
      async ({ post, browser, sink }) => {
        const webhook = JSON.stringify({ trigger: 'payment', url: sink.url })
        const { id, href } = (await post('/v1/transactions', prepared({ webhook }))).body
        // The client of the tests does not follow redirects.
        await browser.submit(new URL(href).pathname, CARD)
        expect(JSON.parse((await sink.calls(1))[0]?.body ?? '')).toMatchObject({
          id,
          status: 'approved',
        })
      },
    ),
    row('3-D Secure is handled by the hosted page and the browser library', async (world) => {
      const payer = payerAt(world)
      const bank = await payer.pay({ card_number: cardOf(10) })
      expect(bank.html).toContain('data-testid="bank-code"')
      const { address } = await payer.pressContinue(
        (await payer.atBank(bank.address, { code: '1234' })).html,
      )
      const page = await openCheckoutWithBank(world)
      const [, { id }] = (await pressed(page, ['payment:success'])) as [string, { id: number }]
      await page.close()
      for (const paid of [queryOf(address).transaction_id, id])
        expect((await world.get(`/v1/transactions/${paid}`)).body).toMatchObject({
          status: 'approved',
          mpi_ref: expect.stringMatching(/./),
        })
    }),
  ],
}

export const VERSIONING: Section = {
  title: 'Versioning',
  rows: [
    row('the REST API carries its version in the path prefix /v1', async ({ get }) =>
      expect((await get('/v1/transactions')).status).toBe(200),
    ),
    row('the hosted form endpoint also uses /v1', async ({ browser }) =>
      expect((await browser.post('/v1/form', posted())).status).toBe(303),
    ),
    row('the browser library has the prefix /v2', async ({ browser }) =>
      expect((await browser.get('/v2/mondido.js', { merchant_id: MERCHANT.id })).status).toBe(200),
    ),
  ],
}

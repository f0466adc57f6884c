import { describe, expect, test } from 'vitest'
import { signAnswer } from '../../../mock-gateway/acquirer/three-d-secure/signed-answer.ts'
import type { FinalAuthenticationResult } from '../../../mock-gateway/domain/card/three-d-secure.ts'
import { openDatabase } from '../../../mock-gateway/storage/database.ts'
import { createMerchant, type Fields, MERCHANT, payment } from '../../helpers/gateway.ts'
import { share } from '../../helpers/shared.ts'
import { openGateway, sharedGateway } from '../../helpers/shared-gateway.ts'
import { filePlace, sharedPlace } from '../storage/databases.ts'
import {
  cardOf,
  hiddenField,
  locationOf,
  pathOf,
  payerAt,
  queryOf,
  windowMessage,
} from './payer.ts'

const OFF = createMerchant(2, { three_d_secure: 'off' })

const target = await sharedPlace(filePlace)
const shop = await sharedGateway({ database: target, merchants: [MERCHANT, OFF] })
const data = await share(openDatabase(target))

const CHALLENGED = cardOf(10)
const payer = () => payerAt(shop)
const answer = (cres: string) =>
  shop.browser.post<string>('/v1/mpi_js/return', { hash: undefined, cres })

/** Leads a payer to a challenge. Returns it with a function that signs answers like the bank. */
async function challenged(over: Fields = {}) {
  const page = await payer().pay({ card_number: CHALLENGED, ...over })
  const token = page.address.split('/').at(-1) ?? ''
  const row = await data.db
    .selectFrom('authentications')
    .selectAll()
    .where('token', '=', token)
    .executeTakeFirstOrThrow()
  const sign = (result: FinalAuthenticationResult) => signAnswer({ ref: row.ref, result }, row.key)
  const transaction = async () => (await shop.get(`/v1/transactions/${row.transaction_id}`)).body
  return { ...page, token, row, sign, transaction }
}

/**
 * Authenticates a card without a challenge in the library's window. Returns the order and its proof
 * of authentication.
 */
async function authenticated(over: Fields = {}) {
  const order = { payment_ref: payment().payment_ref, card_number: cardOf(1), ...over }
  const { html } = await payer().openWindow(order)
  const { message } = windowMessage(html)
  const { mpi_ref, eci, provider_ref } = message as Record<string, string>
  return { order, proof: { ref: mpi_ref, eci, provider_ref } }
}

test('an authentication can pay its order for 90 minutes, and its ref alone proves it', async () => {
  const [soon, late] = [await authenticated(), await authenticated()]
  shop.clock.advance(90 * 60_000)
  expect((await create({ ...soon.order, ref: soon.proof.ref })).body).toMatchObject({
    status: 'approved',
  })
  shop.clock.advance(1)
  const refused = await create({ ...late.order, ...late.proof })
  expect(refused.body).toMatchObject({ code: 1690 })
  expect(refused.headers.get('mondido-explain')).toContain('more than 90 minutes ago')
})

const create = (fields: Fields) =>
  shop.browser.post('/v1/transactions', { ...payment(fields), merchant_id: 1 })

describe('the answer of the bank', () => {
  test('is rejected with error 1690 and logged if it is invented, changed, or from another payment (attacks 48 csrf-hosted, 110 acs-forge)', async () => {
    const one = await challenged()
    const other = await challenged()
    const [payload = '', signature = ''] = one.sign('N').split('.')
    const changed = Buffer.from(
      JSON.stringify({ aud: 'mpi', ref: one.row.ref, result: 'Y' }),
    ).toString('base64url')
    for (const forged of [
      `${changed}.${signature}`,
      `${payload}.${[...signature].toReversed().join('')}`,
      signAnswer({ ref: one.row.ref, result: 'Y' }, other.row.key),
      signAnswer({ ref: one.row.ref, result: 'Y' }, ''),
      `${changed}.`,
      'nothing',
    ]) {
      const { status, body, headers } = await answer(forged)
      expect({ status, error: /data-error="([^"]*)"/.exec(body)?.[1] }).toEqual({
        status: 400,
        error: 'errors.mpi.invalid',
      })
      expect(headers.get('location')).toBeNull()
    }
    const { status, log_events } = await one.transaction()
    expect(status).toBe('3ds pending')
    const refused = log_events
      .map(({ data }) => data)
      .filter(({ event }) => event === 'authentication_refused')
    expect(refused.length).toBe(5)
    expect(refused[0]).toMatchObject({
      event: 'authentication_refused',
      error: 'errors.mpi.invalid',
      reason: 'signature',
    })
  })

  test('leads to the same result the second time, is logged, and charges nothing; another one is rejected (attack 111, acs-replay)', async () => {
    const { sign, transaction } = await challenged()
    const first = await answer(sign('Y'))
    const before = await transaction()
    const again = await answer(sign('Y'))
    expect([again.status, again.headers.get('location')]).toEqual([
      303,
      first.headers.get('location'),
    ])
    const other = await answer(sign('N'))
    expect(other.status).toBe(400)
    expect(other.body).toContain('errors.mpi.invalid')
    expect(other.body).toContain('data-testid="bank-continue"')
    const { log_events, ...after } = await transaction()
    expect(after).toMatchObject({
      status: 'approved',
      processed_at: before.processed_at,
      provider_ref: before.provider_ref,
    })
    expect(log_events.filter(({ data }) => data.event === 'authentication_refused')).toHaveLength(2)
  })

  test('counts until the last second: after 9:59 minutes it pays, after 10:00 minutes it does not', async () => {
    const intime = await challenged()
    shop.clock.advance(599_000)
    expect((await answer(intime.sign('Y'))).status).toBe(303)
    expect(await intime.transaction()).toMatchObject({ status: 'approved' })
    const late = await challenged()
    shop.clock.advance(600_000)
    expect((await answer(late.sign('Y'))).status).toBe(400)
    expect(await late.transaction()).toMatchObject({ status: 'failed' })
  })

  test('is rejected before the payer was at the bank', async () => {
    const paid = await shop.browser.post<string>(
      '/v1/form',
      payment({
        merchant_id: 1,
        success_url: 'https://shop.example/a',
        error_url: 'https://shop.example/b',
        card_number: CHALLENGED,
      }),
    )
    const bank = await shop.browser.get<string>(pathOf(locationOf(paid)))
    const token = locationOf(bank).split('/').at(-1) ?? ''
    const { ref, key } = await data.db
      .selectFrom('authentications')
      .selectAll()
      .where('token', '=', token)
      .executeTakeFirstOrThrow()
    expect((await answer(signAnswer({ ref, result: 'Y' }, key))).status).toBe(400)
  })

  test('counts once if success and failure arrive at the same time, and the bank authorizes once', async () => {
    for (let round = 0; round < 5; round++) {
      const { sign, transaction } = await challenged()
      const answers = await Promise.all([
        answer(sign('Y')),
        answer(sign('N')),
        answer(sign('Y')),
        answer(sign('N')),
      ])
      expect(answers.map(({ status }) => status).sort()).toEqual([303, 303, 400, 400])
      const { log_events, status } = await transaction()
      expect(['approved', 'declined']).toContain(status)
      expect(log_events.filter(({ data }) => data.event === 'charged')).toHaveLength(1)
    }
  })
})

describe('the bank', () => {
  test('ends the challenge after three wrong codes, and no later code counts (attack 113, challenge-brute)', async () => {
    const { address, transaction } = await challenged()
    await payer().atBank(address, { code: '1111' })
    const second = await payer().atBank(address, { code: '2222' })
    expect(second.html).toContain('role="alert"')
    const third = await payer().atBank(address, { code: '3333' })
    const signed = hiddenField(third.html, 'cres')
    expect(
      JSON.parse(Buffer.from(signed.split('.')[0] ?? '', 'base64url').toString()),
    ).toMatchObject({ result: 'N' })
    expect(queryOf((await payer().pressContinue(third.html)).address)).toMatchObject({
      error_name: 'errors.mpi.not_approved',
    })
    expect(await transaction()).toMatchObject({ status: 'declined', error: { code: 169 } })
  })

  test('sends at most three new codes, and gives more time', async () => {
    const { address, token } = await challenged()
    for (let sent = 0; sent < 5; sent++) await payer().atBank(address, { action: 'new_code' })
    shop.clock.advance(9 * 60_000)
    await payer().atBank(address, { action: 'more_time' })
    shop.clock.advance(9 * 60_000)
    const { body } = await shop.browser.get<Record<string, unknown>>(
      `/v1/acs/${token}`,
      {},
      { accept: 'application/json' },
    )
    expect(body).toMatchObject({
      state: 'open',
      new_codes: 3,
      new_codes_left: 0,
      tries_left: 3,
      minutes_left: 1,
    })
  })

  test('shows neither its code nor its outcomes if the merchant turns off the test helper', async () => {
    const plain = await openGateway({
      merchants: [{ ...MERCHANT, settings: { page_test_helper: false } }],
    })
    const { pay, atBank } = payerAt(plain)
    const { address, html } = await pay({ card_number: CHALLENGED, locale: 'sv' })
    const again = await atBank(address, { action: 'new_code' })
    for (const page of [html, again.html]) {
      expect(page).toContain('Simulerad bank')
      expect(page).toContain('Din bank har skickat en kod till dig.')
      expect(page).not.toMatch(/1234|bank-choose/)
    }
    expect((await payer().pay({ card_number: CHALLENGED })).html).toMatch(/bank-choose.*1234/s)
  })

  test('answers programs in JSON, up to the redirect to the shop', async () => {
    const { token, transaction } = await challenged()
    const json = { accept: 'application/json' }
    const { body } = await shop.browser.post<Record<string, string>>(
      `/v1/acs/${token}`,
      { hash: undefined, result: 'A' },
      json,
    )
    expect(body).toMatchObject({
      state: 'answered',
      card_number: expect.stringContaining('******'),
      return_url: 'http://localhost:4400/v1/mpi_js/return',
    })
    await answer(body.cres ?? '')
    expect(await transaction()).toMatchObject({
      status: 'approved',
      payment_response: { three_d_secure: { eci: '06', trans_status: 'A' } },
    })
    const ended = await shop.browser.get<Record<string, string>>(`/v1/acs/${token}`, {}, json)
    expect(ended.body).toMatchObject({
      state: 'ended',
      continue_url: expect.stringContaining('/result'),
    })
  })

  test('has pages that are not cached, run no foreign script, and send no referrer (attacks 39, 45, 53 and 54)', async () => {
    const { address, html } = await challenged()
    const { headers } = await shop.browser.get<string>(pathOf(address))
    expect(headers.get('cache-control')).toBe('no-store, private')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(
      /default-src 'none'.*script-src 'nonce-[^']{24}'.*form-action 'self' https: http:.*frame-ancestors 'self'/,
    )
    expect(policy).not.toContain('unsafe')
    expect(headers.get('set-cookie')).toBeNull()
    // The library's window must keep its opener.
    expect(headers.get('cross-origin-opener-policy')).toBeNull()
    expect(html).not.toMatch(/ on\w+=| style=|javascript:/)
    expect(html).not.toContain(CHALLENGED)
  })

  test('can be reached again from the page of the payment until the challenge ends', async () => {
    const { address, transaction } = await challenged()
    const { href } = await transaction()
    const page = await payer().open(pathOf(href))
    const [, way = ''] = /href="([^"]*\/v1\/acs\/payment\/[^"]*)"/.exec(page.html) ?? []
    expect((await payer().open(pathOf(way))).address).toBe(address)
    const cancelled = await shop.browser.post<string>(pathOf(href), {
      hash: undefined,
      action: 'cancel',
    })
    expect(queryOf(locationOf(cancelled))).toMatchObject({ error_name: 'errors.payment.canceled' })
    expect((await payer().open(pathOf(address))).address).toContain(
      'error_name=errors.payment.canceled',
    )
  })
})

describe('attack 112 (mpi-field-forge): a payment with', () => {
  test('its own authentication is paid', async () => {
    const { order, proof } = await authenticated()
    const { body } = await create({ ...order, ...proof })
    expect(body).toMatchObject({
      status: 'approved',
      mpi_ref: proof.ref,
      provider_ref: proof.provider_ref,
    })
  })

  for (const [what, forged] of [
    ['an invented ref', { ref: 'f'.repeat(32), eci: '05', provider_ref: 'sim_1' }],
    ['an eci alone', { eci: '05' }],
    ['a provider_ref alone', { provider_ref: 'sim_1' }],
  ] as const)
    test(`${what} is rejected with error 1690`, async () =>
      expect((await create(forged)).body.code).toBe(1690))

  for (const [what, over] of [
    ['another order', { payment_ref: 'another order' }],
    ['another amount', { amount: '11.00' }],
    ['another card', { card_number: cardOf(3) }],
    ['another eci', { eci: '06' }],
    ['another provider_ref', { provider_ref: 'sim_0000000000000000' }],
  ] as const)
    test(`the authentication of ${what} is rejected with error 1690`, async () => {
      const { order, proof } = await authenticated()
      expect((await create({ ...order, ...proof, ...over })).body.code).toBe(1690)
    })

  test('a used authentication is rejected: with error 4 if the request has its provider_ref, otherwise with error 1690', async () => {
    const { order, proof } = await authenticated()
    await create({ ...order, ...proof, card_cvv: '201' })
    expect((await create({ ...order, ...proof })).body.code).toBe(4)
    expect((await create({ ...order, ref: proof.ref })).body.code).toBe(1690)
  })

  test('a result without authentication is rejected with error 169', async () => {
    const order = { payment_ref: 'not approved', card_number: cardOf(2) }
    await payer().openWindow(order)
    const { ref } = await data.db
      .selectFrom('authentications')
      .select('ref')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect((await create({ ...order, ref })).body.code).toBe(169)
    const waiting = { payment_ref: 'not yet', card_number: cardOf(10) }
    await payer().openWindow(waiting)
    const open = await data.db
      .selectFrom('authentications')
      .select('ref')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect((await create({ ...waiting, ref: open.ref })).body.code).toBe(169)
  })

  test('an authentication for a merchant without 3-D Secure is rejected with error 1691, in the window too', async () => {
    const off = await shop.as(OFF).post('/v1/transactions', payment({ ref: 'f'.repeat(32) }))
    expect(off.body.code).toBe(1691)
    const page = await shop
      .as(OFF)
      .post<string>('/v1/mpi_js', payment({ merchant_id: 2, mpi_nonce: 'e'.repeat(32) }))
    expect(windowMessage(page.body).message).toMatchObject({
      event: 'mpi',
      success: false,
      nonce: 'e'.repeat(32),
      error: 'errors.mpi.disabled',
      code: 1691,
    })
  })

  test('the same authentication in fifty simultaneous requests pays once', async () => {
    const { order, proof } = await authenticated()
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => create({ ...order, ...proof })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })
})

describe('the library', () => {
  test('sends its message only to the page that opened it (attacks 41 and 42)', async () => {
    const { html } = await payer().openWindow({}, { origin: 'https://shop.example' })
    expect(windowMessage(html).origin).toBe('https://shop.example')
    const nameless = await payer().openWindow({}, { origin: 'null' })
    expect(windowMessage(nameless.html).origin).toBe('*')
  })

  test('needs its nonce to read or cancel its authentication, and cannot access another one', async () => {
    const nonce = 'c'.repeat(32)
    await payer().openWindow({ card_number: CHALLENGED, mpi_nonce: nonce })
    const ask = (path = '', merchant = 1) =>
      shop.browser.get(`/v1/mpi_js/${nonce}${path}`, { merchant_id: merchant })
    expect((await ask()).body).toMatchObject({ status: 'pending', success: null, mpi_ref: null })
    expect((await ask('', 2)).body.code).toBe(196)
    const headers = { origin: 'https://shop.example', 'sec-fetch-site': 'cross-site' }
    const cancelled = await shop.browser.send(
      'POST',
      `/v1/mpi_js/${nonce}/cancel`,
      'merchant_id=1',
      headers,
    )
    expect(cancelled.headers.get('access-control-allow-origin')).toBe('*')
    expect(cancelled.body).toMatchObject({
      status: 'done',
      success: false,
      error: 'errors.payment.canceled',
    })
    expect((await ask()).body).toEqual(cancelled.body)
    // The time limit does not end the authentication again.
    shop.clock.advance(91 * 60_000)
    expect((await ask()).body).toEqual(cancelled.body)
  })

  test('reloads its window without a second authentication, and gets error 1690 for another order', async () => {
    const nonce = 'd'.repeat(32)
    const order = { payment_ref: 'reloaded', card_number: CHALLENGED, mpi_nonce: nonce }
    const first = await payer().openWindow(order)
    expect((await payer().openWindow(order)).address).toBe(first.address)
    const other = await payer().openWindow({ ...order, payment_ref: 'another' })
    expect(windowMessage(other.html).message).toMatchObject({
      success: false,
      error: 'errors.mpi.invalid',
    })
  })
})

test("a payment after 3-D Secure stores the bank's answer while it waits, but never the CVV or the number (attack 102, cvv-anywhere)", async () => {
  const { row } = await challenged({ card_cvv: '987' })
  expect(JSON.stringify(row)).not.toMatch(/987"|4000000000001091/)
  expect(JSON.parse(row.word ?? '')).toMatchObject({ kind: 'approved' })
})

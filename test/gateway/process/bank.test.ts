import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { DEFAULT_MERCHANT } from '../../../mock-gateway/merchants/seed.ts'
import {
  encode,
  type Fields,
  hashed,
  payment,
  prepared,
  type TransactionOrError,
  URLS,
} from '../../helpers/gateway.ts'
import { GATEWAY_PROGRAM, type Program, startProgram } from '../../helpers/program.ts'
import { freePort } from '../../setup/free-port.ts'
import { cardOf, hiddenField, queryOf, windowMessage } from '../three-d-secure/payer.ts'
import { everythingSent } from './crash.ts'
import { all } from './load.ts'
import { openReceiver } from './receiver.ts'

const post = (url: string, fields: Fields) =>
  fetch(url, {
    method: 'POST',
    body: encode(fields),
    redirect: 'manual',
    headers: { origin: 'https://shop.example' },
  })

/** Returns the final address after the redirects inside the gateway. */
async function follow(url: string, base: string): Promise<{ address: string; html: string }> {
  const answer = await fetch(url, { redirect: 'manual' })
  const next = answer.headers.get('location')
  if (next === null) return { address: url, html: await answer.text() }
  return next.startsWith(base) ? follow(next, base) : { address: next, html: '' }
}

test('if a gateway is killed between the bank’s answer and the result, payers who reload get the true answer', async () => {
  const receiver = await openReceiver()
  const folder = await mkdtemp(join(tmpdir(), 'mondido-bank-'))
  const place = ['--data', folder]
  const port = String(await freePort())
  const base = `http://localhost:${port}`
  const start = async () => {
    const program = startProgram(GATEWAY_PROGRAM, [...place, '--port', port], {
      LOG_LEVEL: 'silent',
    })
    await program.printed(/REST API/)
    return program
  }
  const webhook = JSON.stringify({ trigger: 'payment', url: receiver.url })
  const order = (payment_ref: string) =>
    payment({
      ...URLS,
      merchant_id: DEFAULT_MERCHANT.id,
      payment_ref,
      webhook,
      card_number: cardOf(10),
    })
  /**
   * Leads a payer to the bank, and types a code.
   * @returns the bank's page with its answer
   */
  async function answered(path: string, fields: Fields, code: string) {
    const begun = await post(`${base}${path}`, hashed(fields, DEFAULT_MERCHANT))
    const { address } = await follow(begun.headers.get('location') ?? '', base)
    await post(address, { code })
    return follow(address, base)
  }
  const goOn = ({ html }: { html: string }) =>
    post(`${base}/v1/mpi_js/return`, { cres: hiddenField(html, 'cres') })

  const killed = await start()
  const atBank = await answered('/v1/form', order('at-bank'), '1234')
  const paid = await answered('/v1/form', order('paid'), '1234')
  const refused = await answered('/v1/form', order('refused'), '0000')
  const nonce = 'a'.repeat(32)
  const inWindow = await answered('/v1/mpi_js', { ...order('window'), mpi_nonce: nonce }, '1234')
  const results = await Promise.all([paid, refused, inWindow].map(goOn))
  await killed.stop('SIGKILL')

  const gateway = await start()
  try {
    const [resultOfPaid, resultOfRefused, resultInWindow] = results.map(
      ({ headers }) => headers.get('location') ?? '',
    )
    // The page contains the bank's answer, before the browser has brought it back.
    expect(hiddenField((await follow(atBank.address, base)).html, 'cres')).not.toBe('')
    const late = (await goOn(await follow(atBank.address, base))).headers.get('location') ?? ''
    for (const address of [late, atBank.address, resultOfPaid ?? '', paid.address])
      expect(queryOf((await follow(address, base)).address)).toMatchObject({ status: 'approved' })
    for (const address of [resultOfRefused ?? '', refused.address])
      expect(queryOf((await follow(address, base)).address)).toMatchObject({
        error_name: 'errors.mpi.not_approved',
      })
    for (const address of [resultInWindow ?? '', inWindow.address])
      expect(windowMessage((await follow(address, base)).html).message).toMatchObject({
        success: true,
        nonce,
      })
    // An answer that was received already does not count again.
    for (const each of [paid, refused, inWindow]) expect((await goOn(each)).status).toBe(303)
    const { rows } = await all<TransactionOrError>(`${base}/v1`, 'transactions')
    const charged = rows.map(({ payment_ref, status, log_events }) => [
      payment_ref,
      status,
      log_events.filter(({ data }) => (data as { event?: string }).event === 'charged').length,
    ])
    expect(charged).toEqual([
      ['at-bank', 'approved', 1],
      ['paid', 'approved', 1],
      ['refused', 'declined', 1],
    ])
    await everythingSent(place)
    expect([...receiver.told.values()].map(({ payment_ref }) => payment_ref).sort()).toEqual([
      'at-bank',
      'paid',
      'refused',
    ])
  } finally {
    await gateway.stop()
    await receiver.close()
    await rm(folder, { recursive: true })
  }
})

describe('hostile texts', () => {
  let program: Program
  afterEach(() => program.stop())

  /** Texts of 63 KB whose search once took a long time. */
  const HOSTILE = ['4111111111111111 ', '0.', '4 ', '{{', '@a.'].map((unit) =>
    unit.repeat(63_000 / unit.length).slice(0, 63_000),
  )

  test('no text of payers and merchants delays other requests or ends the process', async () => {
    program = startProgram(GATEWAY_PROGRAM, ['--memory', '--port', '0'], { LOG_LEVEL: 'warn' })
    const [, url = ''] = /(http:\S+)\/v1/.exec(await program.printed(/REST API/)) ?? []
    const send = (path: string, fields: object, headers = {}) =>
      fetch(url + path, {
        method: 'POST',
        headers,
        body: new URLSearchParams(Object.entries(fields)),
        redirect: 'manual',
      })
    const login = {
      authorization: `Basic ${btoa(`${DEFAULT_MERCHANT.id}:${DEFAULT_MERCHANT.password}`)}`,
    }
    const page = (await (
      await send('/v1/transactions', hashed(prepared(), DEFAULT_MERCHANT), login)
    ).json()) as {
      href: string
    }
    for (const text of HOSTILE) {
      const order = hashed({ ...payment(), merchant_id: 1, 'metadata[a]': text }, DEFAULT_MERCHANT)
      expect((await send('/v1/transactions', order)).status).toBe(200)
      expect((await send('/v1/form', order)).status).toBeLessThan(500)
      expect(
        (
          await send(new URL(page.href).pathname, {
            card_holder: text,
            email: text,
            'metadata[a]': text,
          })
        ).status,
      ).toBeLessThan(500)
      expect(
        (
          await send(
            '/v1/customers',
            { ref: text, metadata: JSON.stringify({ [text]: text.slice(0, 100) }) },
            login,
          )
        ).status,
      ).toBeLessThan(500)
      expect(
        (
          await fetch(`${url}/v1/plans?filter[name]=${encodeURIComponent(text).slice(0, 60_000)}`, {
            headers: login,
          })
        ).status,
      ).toBeLessThan(500)
    }
    expect((await fetch(`${url}/health`)).status).toBe(200)
  })
})

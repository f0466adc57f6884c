import { afterEach, expect, test } from 'vitest'
import { DEFAULT_MERCHANT } from '../../../mock-gateway/merchants/seed.ts'
import { hashed, payment, prepared } from '../../helpers/gateway.ts'
import { GATEWAY_PROGRAM, type Program, startProgram } from '../../helpers/program.ts'

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

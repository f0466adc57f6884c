import pino from 'pino'
import { expect, test } from 'vitest'
import { MERCHANT, payment, prepared, URLS } from '../../../helpers/gateway.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'

const lines: Record<string, unknown>[] = []
/** Collects log lines, except the warnings about slow requests on a busy machine. */
const keep = (line: Record<string, unknown>) => {
  if (line.level === pino.levels.values.info) lines.push(line)
}

const logger = pino({ level: 'info' }, { write: (line) => keep(JSON.parse(line)) })
const shop = await sharedGateway({ logger })
const token =
  new URL((await shop.post('/v1/transactions', prepared())).body.href).pathname.split('/').at(-1) ??
  ''

test('a form that is rejected with a redirect is logged with its error, and the answer explains it', async () => {
  lines.length = 0
  const fields = payment({ merchant_id: 1, ...URLS, amount: '10' })
  const { status, headers } = await shop.browser.post<string>('/v1/form', fields)
  const explain = headers.get('mondido-explain')
  expect([status, explain]).toEqual([303, expect.stringContaining('10.00')])
  await expect.poll(() => lines).toHaveLength(1)
  expect(lines[0]).toMatchObject({
    route: '/v1/form',
    error: 'errors.amount.invalid_format',
    explain,
  })
})

test.each(['secret', 'password'] as const)(
  'a %s that is sent as a payment_ref is masked in the logged explanation',
  async (name) => {
    lines.length = 0
    const { headers } = await shop.post('/v1/transactions', {
      ...payment(),
      payment_ref: MERCHANT[name],
      hash: 'wrong',
    })
    const sent = headers.get('mondido-explain')
    expect(sent).toContain(MERCHANT[name])
    await expect.poll(() => lines).toHaveLength(1)
    expect(lines[0]?.explain).toBe(sent?.replaceAll(MERCHANT[name], '***'))
  },
)

for (const [method, path, route] of [
  ['GET', '/v1/transactions', '/v1/transactions'],
  ['GET', '/V1/Stored_Card/4111111111111111', '/v1/stored_card/*'],
  ['PUT', '/v1/transactions/1/capture', '/v1/transactions/*'],
  ['PUT', '/v2/transactions/1', '/v2/transactions/:id'],
  ['POST', '/_control/webhooks/deliveries/1/send', '/_control/webhooks/*'],
] as const)
  test(`a wrong login at ${method} ${path} is logged with the route ${route}`, async () => {
    lines.length = 0
    await shop.send(method, path, null, { authorization: `Basic ${btoa('1:wrong')}` })
    await expect.poll(() => lines).toHaveLength(1)
    expect(lines[0]).toMatchObject({
      method,
      route,
      status: 401,
      error: 'errors.authentication.failed',
    })
  })

for (const [method, path, route, status] of [
  ['GET', '/v1/transactions', '/v1/transactions', 200],
  ['GET', '/v1/transactions/999', '/v1/transactions/:id', 404],
  ['PUT', '/v1/transactions/999/capture', '/v1/transactions/:id/capture', 400],
  ['GET', '/V1/Stored_Card/999', '/v1/stored_card/:id', 404],
  ['GET', '/v1/customers/999/transactions', '/v1/customers/:id/transactions', 404],
  ['GET', '/v1/form/TOKEN', '/v1/form/:token', 200],
  ['GET', '/v1/form/nobody', '/v1/form/:token', 404],
  ['GET', '/v2/mondido.js?merchant_id=1', '/v2/mondido.js', 200],
  ['GET', '/v1/nothing', null, 404],
  ['GET', '/v1/transactions?locale=%00', '/v1/transactions', 400],
] as const)
  test(`${method} ${path} is logged with the route ${route}, whatever its result`, async () => {
    lines.length = 0
    const answer = await shop.send(method, path.replace('TOKEN', token))
    await expect.poll(() => lines).toHaveLength(1)
    expect(lines[0]).toMatchObject({ method, route, status })
    expect(answer.status).toBe(status)
    expect(JSON.stringify(lines)).not.toContain(token)
  })

import { beforeEach, describe, expect, test } from 'vitest'
import { createGateway } from '../../../../mock-gateway/gateway.ts'
import { LOCK_MS } from '../../../../mock-gateway/merchants/guesses.ts'
import type { TestGateway } from '../../../helpers/gateway.ts'
import { share } from '../../../helpers/shared.ts'
import { openGateway } from '../../../helpers/shared-gateway.ts'

const KEY = 'a-key-of-our-own'

const gateway = await share(createGateway({ control: KEY }))

const ask = (headers: Record<string, string>, path = '/_control/clock?locale=en', to = gateway) =>
  to.handle(new Request(`http://localhost:4400${path}`, { headers }))
const basic = (user: string, password: string) => ({
  authorization: `Basic ${btoa(`${user}:${password}`)}`,
})
const codeOf = async (answer: Response) => ((await answer.json()) as { code?: number }).code ?? 200

test.each([
  ['with the key as a header', { 'x-control-key': KEY }],
  ['with the key as the password of admin', basic('admin', KEY)],
  ['from the address bar of a browser', { ...basic('admin', KEY), 'sec-fetch-site': 'none' }],
  ['from a page of the gateway itself', { 'x-control-key': KEY, 'sec-fetch-site': 'same-origin' }],
])('the control API accepts a request %s', async (_how, headers) =>
  expect((await ask(headers)).status).toBe(200),
)

describe('the control API rejects a request', () => {
  test.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another port of this machine', { 'sec-fetch-site': 'same-site' }],
    ['another origin, by an old browser', { origin: 'http://shop.example' }],
  ])(
    'from a page of %s, even with the right key, without a request for a login',
    async (_where, headers) => {
      const answer = await ask({ ...basic('admin', KEY), ...headers })
      expect([answer.status, await codeOf(answer)]).toEqual([401, 138])
      expect(answer.headers.has('www-authenticate')).toBe(false)
    },
  )

  test('from a form of such a page before it has any effect', async () => {
    const headers = { ...basic('admin', KEY), 'sec-fetch-site': 'cross-site' }
    const move = new Request('http://localhost:4400/_control/clock/freeze', {
      method: 'POST',
      headers,
    })
    expect((await gateway.handle(move)).status).toBe(403)
    expect((await gateway.clock.read()).mode).toBe('real')
  })

  test('for an unknown address, with error 196', async () => {
    expect(await codeOf(await ask({ 'x-control-key': KEY }, '/_control/clocks'))).toBe(196)
    expect(await codeOf(await ask({}, '/_control/clocks'))).toBe(138)
  })
})

describe('after ten wrong keys in a row', () => {
  let shop: TestGateway
  beforeEach(async () => {
    shop = await openGateway({ control: KEY })
  })

  const codeWith = async (key: string) =>
    codeOf(await ask({ 'x-control-key': key }, undefined, shop.gateway))
  async function guessTenTimes() {
    for (let time = 0; time < 10; time += 1) expect(await codeWith(`guess ${time}`)).toBe(182)
  }

  test('the correct key is rejected, too, for half an hour of machine time', async () => {
    await guessTenTimes()
    expect(await codeWith(KEY)).toBe(207)
    const answer = await ask({ 'x-control-key': KEY }, undefined, shop.gateway)
    expect([answer.status, answer.headers.get('mondido-explain')]).toEqual([
      403,
      expect.stringContaining('restart the gateway'),
    ])
    await shop.gateway.clock.freeze()
    shop.clock.advance(LOCK_MS - 1)
    expect(await codeWith(KEY)).toBe(207)
    shop.clock.advance(1)
    expect(await codeWith(KEY)).toBe(200)
  })

  test('at most ten of many simultaneous keys are checked', async () => {
    const codes = await Promise.all(
      Array.from({ length: 40 }, (_, index) => codeWith(index < 39 ? `${index}` : KEY)),
    )
    expect(codes.filter((code) => code === 182)).toHaveLength(10)
    expect(codes.at(-1)).toBe(207)
  })

  test('fewer wrong keys, no key, or the login of a merchant do not lock an address', async () => {
    for (let time = 0; time < 9; time += 1) await codeWith(`guess ${time}`)
    for (let time = 0; time < 10; time += 1)
      await ask(basic('1', 'custom00'), undefined, shop.gateway)
    expect(await codeWith(KEY)).toBe(200)
    for (let time = 0; time < 9; time += 1) await codeWith(`guess ${time}`)
    expect(await codeWith(KEY)).toBe(200)
  })
})

test('a gateway without a control API answers with error 196 to every client', async () => {
  const without = await createGateway({ control: false })
  expect(without.controlKey).toBeUndefined()
  const answer = await ask({ 'x-control-key': KEY }, '/_control/clock', without)
  expect([answer.status, await codeOf(answer)]).toEqual([404, 196])
  await without.close()
})

test.each(['fifteen-letters', 'with a blank in it', 'ä'.repeat(16)])(
  'createGateway rejects the key "%s"',
  async (control) => {
    await expect(createGateway({ control })).rejects.toThrow(
      'The option control must have 16 to 200 ASCII characters',
    )
  },
)

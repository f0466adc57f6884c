/** Tests of grouped errors and findings in the console. */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MERCHANT, payment, startGateway, type TestGateway } from '../../../helpers/gateway.ts'
import { filePlace, type Place } from '../../storage/databases.ts'
import { type ConsoleClient, consoleOf, textOf } from './client.ts'

const RIVAL = { ...MERCHANT, id: 2 }
const KEY = 'a-key-of-our-own'
const ATTACK = '<script>alert(1)</script>"><img src=x onerror=alert(1)>'
const HOOK = {
  http_method: 'post',
  data_format: 'json',
  url: 'http://localhost:9/hook?<b>bold</b>',
}
const TWICE = JSON.stringify(
  ['payment', 'payment_success'].map((trigger) => ({ ...HOOK, trigger })),
)

const open = filePlace
let place: Place
let shop: TestGateway
let client: ConsoleClient
let rival: ConsoleClient
const ids: string[] = []
let paid = 0
beforeAll(async () => {
  place = await open()
  shop = await startGateway({
    database: place.target,
    merchants: [MERCHANT, RIVAL],
    control: KEY,
    madeUpRows: true,
  })
  client = consoleOf(shop.gateway)
  await client.logIn(1, MERCHANT.password)
  rival = consoleOf(shop.gateway)
  await rival.logIn(2, RIVAL.password)
  for (const hash of ['wrong', ATTACK]) {
    const { headers } = await shop.post(
      '/v1/transactions',
      payment({ hash, payment_ref: ATTACK.slice(0, 60) }),
    )
    ids.push(headers.get('x-request-id') ?? '')
    await shop.gateway.clock.advance({ seconds: 60 })
  }
  await shop.get('/v1/transactions/77')
  await shop.get('/v1/nothing')
  await shop.get('/v1/plans', {}, { authorization: `Basic ${btoa('1:wrong-password')}` })
  await shop.as(RIVAL).get('/v1/refunds/77')
  const recipe = createHash('md5')
    .update(`1${ATTACK.slice(0, 50)}10.00${MERCHANT.secret}`)
    .digest('hex')
  const { body } = await shop.post(
    '/v1/transactions',
    payment({
      payment_ref: ATTACK.slice(0, 50),
      hash: recipe,
      webhook: TWICE,
      card_holder: ATTACK,
      'metadata[a]': `4111111111111111 ${ATTACK}`,
    }),
    { 'user-agent': ATTACK },
  )
  paid = body.id
})
afterAll(async () => {
  await shop.close()
  await place.remove()
})

const shown = async (who: ConsoleClient, path: string) => {
  const { status, html } = await who.get(path)
  expect([path, status]).toEqual([path, 200])
  return html.slice(html.indexOf('id="content"'))
}

test('errors are grouped with count, first and last time, fix, and links', async () => {
  const html = await shown(client, '/1/errors')
  const [logins, ...groups] = html.split('<tr data-key').map(textOf)
  expect(logins).toContain('Failed logins 1')
  expect(groups).toHaveLength(3)
  expect(groups[0]).toMatch(
    / 2 107 errors\.hash\.invalid .* hash must be the MD5 of .* First: 2026-03-14 12:00:00 POST \/v1\/transactions 2026-03-14 12:01:00/,
  )
  expect(html).toContain('<a href="/console/1/hash?hash=')
  expect(html).toContain('href="/docs/errors/107"')
  expect(html).toContain(`href="/console/1/requests/${ids[1]}"`)
  const [, group = ''] = /href="\/console(\/1\/requests\?error=errors\.hash[^"]*)"/.exec(html) ?? []
  const list = await shown(client, group.replaceAll('&amp;', '&'))
  expect(ids.map((id) => list.includes(`/requests/${id}"`))).toEqual([true, true])
  expect(list.match(/<tr>/g)).toHaveLength(3)
  const [, nowhere = ''] =
    /href="\/console(\/1\/requests\?error=errors\.not_found[^"]*route=)"/.exec(html) ?? []
  expect(textOf(await shown(client, nowhere.replaceAll('&amp;', '&')))).toContain(
    'GET /v1/nothing 404',
  )
})

test.each(['%00', '<b>', 'errors.hash.invalid&error=x', '%F0%9F%92%B3', 'x'.repeat(300)])(
  'an invalid group has no requests: %s',
  async (error) => {
    for (const query of [
      `error=${error}`,
      `error=errors.hash.invalid&method=${error}&route=${error}`,
    ])
      expect((await client.get(`/1/requests?${query}`)).status).toBeLessThan(401)
  },
)

test('the administrator sees the errors of all merchants and of failed logins, a merchant only its own (attack 116)', async () => {
  const administrator = consoleOf(shop.gateway)
  await administrator.logIn('admin', KEY)
  const all = await shown(administrator, '/errors')
  expect(textOf(all)).toContain('errors.authentication.failed')
  expect(all).toContain('href="/console/2"')
  expect(all).toMatch(/href="\/console\/requests\?error=errors\.authentication\.failed&#?\w*;?/)
  const theirs = await shown(rival, '/2/errors')
  expect([theirs.match(/<tr data-key/g)?.length, theirs.includes('hash')]).toEqual([1, false])
  for (const path of ['/errors', '/1/errors', '/1/findings'])
    expect((await rival.get(path)).status).toBe(404)
})

test('findings on their page, on the first page and in the story link to their evidence', async () => {
  const html = await shown(client, '/1/findings')
  const text = textOf(html)
  for (const said of [
    'The hash does not cover everything 1 A payer can change',
    'The recipe A leaves out currency and test.',
    'A card number is in a field for other data 1',
    'One event is sent to the same address twice 1',
    'receives the event as payment and payment_success',
  ])
    expect(text).toContain(said)
  expect(html).toMatch(/href="\/console\/1\/requests\/[0-9a-f-]{36}"/)
  expect(html).toMatch(/href="\/console\/1\/webhooks\/\d+"/)
  expect(html).toContain(`href="/console/1/transactions/${paid}"`)
  expect(await shown(client, '/1')).toContain('href="/console/1/findings#weak_hash"')
  const story = textOf(await shown(client, `/1/transactions/${paid}`))
  expect(story).toContain('The hash does not cover everything. The recipe A')
  expect(textOf(await shown(rival, '/2/findings'))).toContain('No warnings')
})

test('markup that a client sent is text in groups, findings and stories, which contain no card or secret', async () => {
  for (const path of [
    '/1/errors',
    '/1/findings',
    '/1',
    '/1/requests?error=<img>',
    `/1/transactions/${paid}`,
  ]) {
    const { html } = await client.get(path)
    for (const never of ['<script>alert', '<img', '<b>bold', '4111111111111111', MERCHANT.secret])
      expect([path, html.includes(never)]).toEqual([path, false])
  }
})

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { NotCheckedError } from '../../../mock-gateway/check/errors.ts'
import { createPayer } from '../../../mock-gateway/check/payer.ts'
import type { Purchase } from '../../../mock-gateway/check/purchase.ts'
import { leaveShop, request } from '../../../mock-gateway/check/shop-calls.ts'
import type { Stage } from '../../../mock-gateway/check/stage.ts'
import {
  openErrorPage,
  openForgedReturn,
  openSuccessPage,
} from '../../../mock-gateway/check/steps/payer.ts'
import { check } from '../../../mock-gateway/cli/check.ts'
import { runGateway } from '../../../mock-gateway/cli.ts'
import { listen } from '../../helpers/listening.ts'
import { freePort } from '../../setup/free-port.ts'
import { ORDER, useGateway } from './fixture.ts'
import { startSmallShop } from './shop.ts'

const PLAN = {
  buy: { post: '/buy' },
  order: { get: ORDER, amount: 'amount', fulfilled: 'fulfilled' },
  settle: 1,
  quiet: 0,
}

const gateway = useGateway()
const { control } = gateway

/** Reads the webhooks that are held. */
const heldDeliveries = async () =>
  ((await control('/webhooks/deliveries?status=pending')) as { due_at: string | null }[]).filter(
    ({ due_at }) => due_at === null,
  )

const command = (shopUrl: string, plan: object, ...flags: readonly string[]) =>
  gateway.command(JSON.stringify(plan), [shopUrl, ...flags])

test.each(['http://169.254.169.254/', 'http://[fe80::1]/', 'http://metadata.google.internal/'])(
  'the check never calls %s',
  async (address) => {
    await expect(request(address, {}, 1)).rejects.toThrow('may not be called')
  },
)

test('a failure has an id that repeats it with the same seed', async () => {
  const { url } = await gateway.startSmallShop('fulfils twice')
  const first = await command(url, PLAN, '--only', 'return-twice', '--seed', '7')
  expect(first.printed).toContain('--repeat return-twice.7')
  const again = await command(url, PLAN, '--repeat', 'return-twice.7', '--json')
  expect(JSON.parse(again.printed).results).toMatchObject([
    { id: 'return-twice.7', verdict: 'failed' },
  ])
  await expect(command(url, PLAN, '--repeat', 'no-such-case.7')).rejects.toMatchObject({
    exitCode: 2,
  })
  await expect(command(url, PLAN, '--seed', 'seven')).rejects.toMatchObject({ exitCode: 2 })
})

test('Ctrl-C ends the check with the results so far, and every webhook is released', async () => {
  const { url } = await gateway.startSmallShop('ignores webhooks')
  const stopping = new AbortController()
  const { results, ended } = await gateway.run(
    url,
    { ...PLAN, settle: 600 },
    {
      only: ['plain', 'payer-never-returns'],
      signal: stopping.signal,
      // The other case has begun by then, and waits for its order.
      onResult: () => stopping.abort(),
    },
  )
  expect([results.map((result) => result.case), ended]).toEqual([['plain'], 'The check was ended.'])
  expect([await heldDeliveries(), await control('/webhooks/sending')]).toMatchObject([
    [],
    { hold: false },
  ])
})

/** Starts a shop with the given answers. */
const startBadShop = async (
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> => gateway.closeLater(await listen(createServer(answer))).url

test.for([
  ['hangs', () => {}, /did not answer: the time is over/],
  [
    'answers 500',
    (response: ServerResponse) => response.writeHead(500).end(),
    /answered 500 without sending the payer/,
  ],
  [
    'answers 10 MB',
    (response: ServerResponse) => response.end(Buffer.alloc(10_000_000)),
    /more than 1000000 bytes/,
  ],
  [
    'redirects forever',
    (response: ServerResponse) => response.writeHead(302, { location: '/buy' }).end(),
    /redirects without end at \/buy/,
  ],
  [
    'breaks off in its answer',
    (response: ServerResponse) => {
      response.writeHead(200, { 'content-length': '100' }).write('half')
      setTimeout(() => response.destroy(), 20)
    },
    /did not finish its answer/,
  ],
] as const)(
  'a shop that %s ends the check with one sentence, and the gateway is as before',
  async ([name, answer, says]) => {
    const url = await startBadShop((_request, response) => answer(response))
    const plan = { ...PLAN, ...(name === 'hangs' && { timeout: 0.5 }) }
    const error: Error = await command(url, plan).catch((caught) => caught)
    expect(error).toMatchObject({ exitCode: 2, message: expect.stringMatching(says) })
    expect(error.message).not.toContain('\n')
    expect([await control('/faults'), await control('/webhooks/sending')]).toMatchObject([
      { faults: [] },
      { hold: false },
    ])
  },
)

test('the payer of a check follows a Location only with the status of a redirect', async () => {
  const url = await startBadShop((request, response) => {
    const status = { '/moved': 302, '/shown': 200 }[request.url ?? ''] ?? 404
    response.writeHead(status, { location: '/end' }).end()
  })
  const payer = createPayer(gateway.reach().url, undefined)
  expect([await payer.visit(`${url}/shown`), await payer.visit(`${url}/moved`)]).toEqual([200, 404])
})

test('the frame with the payment page is opened, and not the frame of another service', async () => {
  const page = 'http://gateway.test/v1/form/a-token'
  const frames = ['http://chat.test/v1', page].map(
    (address) => `<iframe src="${address}"></iframe>`,
  )
  const url = await startBadShop((_request, response) => response.end(frames.join('')))
  expect(await leaveShop({ url: new URL(url), init: {} }, 1_000)).toBe(page)
})

test.each([
  ['the success page', openSuccessPage],
  ['a forged return', openForgedReturn],
  ['the error page', openErrorPage],
])('a payment without a return address is not checked by a case with %s', (_step, open) => {
  const purchase = { id: 1, payment_ref: 'A1', success_url: null, error_url: null }
  expect(() => open({} as Stage, purchase as Purchase)).toThrow(NotCheckedError)
})

/** Reads the transactions of an order from the API. */
async function findTransactions(paymentRef: string) {
  const { url, merchant } = gateway.reach()
  const headers = { authorization: `Basic ${btoa(`${merchant.id}:${merchant.password}`)}` }
  const address = `${url}/v1/transactions?filter[payment_ref]=${paymentRef}`
  return (await fetch(address, { headers })).json()
}

test('if the shop stops during a case, the check ends with the case and the reason, and other data stay unchanged', async () => {
  const small = await gateway.startSmallShop()
  const bought = await fetch(`${small.url}/buy`, { method: 'POST', redirect: 'manual' })
  const [{ payment_ref }] = (await findTransactions('*')) as [{ payment_ref: string }]
  const before = [await findTransactions(payment_ref), await control('/clock?merchant_id=1')]
  expect([bought.status, before[0].length]).toEqual([303, 1])
  const { results, ended } = await gateway.run(small.url, PLAN, {
    onStart: (name) => void (name === 'webhook-twice' && small.close()),
  })
  expect(results.at(-1)).toMatchObject({ case: 'webhook-twice', verdict: 'failed' })
  expect(ended).toMatch(/^The check ended in the case "webhook-twice": .*did not answer/)
  expect(await findTransactions(payment_ref)).toEqual(before[0])
  expect([
    await heldDeliveries(),
    await control('/webhooks/sending'),
    await control('/faults'),
    await control('/clock?merchant_id=1'),
  ]).toMatchObject([[], { hold: false }, { faults: [] }, { mode: before[1].mode }])
})

test('if no gateway runs, the check starts one for itself and stops it', async () => {
  const url = `http://127.0.0.1:${await freePort()}`
  const small = gateway.closeLater(await startSmallShop(url, gateway.reach().merchant))
  const flags = ['--only', 'plain', '--gateway', url]
  const { status, printed } = await gateway.command(JSON.stringify(PLAN), [small.url, ...flags], {
    env: {},
  })
  expect([status, printed]).toEqual([0, expect.stringContaining('started one with data in memory')])
  await expect(fetch(url)).rejects.toThrow()
  const elsewhere = check(
    [small.url, '--gateway', 'http://gateway.invalid'],
    {},
    () => {},
    runGateway,
  )
  await expect(elsewhere).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining('No gateway answers'),
  })
})

import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { readPlan } from '../../../mock-gateway/check/plan.ts'
import { runCheck } from '../../../mock-gateway/check/run.ts'
import { request } from '../../../mock-gateway/check/shop-calls.ts'
import { check } from '../../../mock-gateway/cli/check.ts'
import { type RunningGateway, runGateway } from '../../../mock-gateway/cli.ts'
import { freePort } from '../../setup/free-port.ts'
import { type SmallShop, startSmallShop } from './shop.ts'

const ORDER = { get: '/orders/{payment_ref}.json', amount: 'amount', fulfilled: 'fulfilled' }
const PLAN = { buy: { post: '/buy' }, order: ORDER, settle: 1, quiet: 0 }

let gateway: RunningGateway
let folder: string
let shop: Pick<SmallShop, 'url' | 'close'> | undefined
beforeAll(async () => {
  gateway = await runGateway(['--memory', '--port', '0'], { LOG_LEVEL: 'silent' }, () => {})
  folder = await mkdtemp(join(tmpdir(), 'mondido-check-'))
  await writeFile(join(folder, 'plan.json'), JSON.stringify(PLAN))
  await writeFile(join(folder, 'impatient.json'), JSON.stringify({ ...PLAN, timeout: 0.5 }))
})
afterEach(() => shop?.close())
afterAll(async () => {
  await gateway.close()
  await rm(folder, { recursive: true })
})

const reach = () => ({
  url: gateway.url,
  controlKey: gateway.control.key ?? '',
  merchant: gateway.merchant,
})

async function control(path: string) {
  const headers = { 'x-control-key': gateway.control.key ?? '' }
  return (await fetch(`${gateway.url}/_control${path}`, { headers })).json()
}

/** Reads the webhooks that are held. */
const heldDeliveries = async () =>
  ((await control('/webhooks/deliveries?status=pending')) as { due_at: string | null }[]).filter(
    ({ due_at }) => due_at === null,
  )

async function command(...flags: readonly string[]) {
  const printed: string[] = []
  const env = { MONDIDO_BASE_URL: gateway.url, MONDIDO_CONTROL_KEY: gateway.control.key }
  const args = [shop?.url ?? '', '--plan', join(folder, 'plan.json'), ...flags]
  const status = await check(args, env, (text) => void printed.push(text), runGateway)
  return { status, printed: printed.join('\n') }
}

test.each(['http://169.254.169.254/', 'http://[fe80::1]/', 'http://metadata.google.internal/'])(
  'the check never calls %s',
  async (address) => {
    await expect(request(address, {}, 1)).rejects.toThrow('may not be called')
  },
)

test('a failure has an id that repeats it with the same seed', async () => {
  shop = await startSmallShop(gateway.addresses.base, gateway.merchant, 'fulfils twice')
  const first = await command('--only', 'return-twice', '--seed', '7')
  expect(first.printed).toContain('--repeat return-twice.7')
  const again = await command('--repeat', 'return-twice.7', '--json')
  expect(JSON.parse(again.printed).results).toMatchObject([
    { id: 'return-twice.7', verdict: 'failed' },
  ])
  await expect(command('--repeat', 'no-such-case.7')).rejects.toMatchObject({ exitCode: 2 })
  await expect(command('--seed', 'seven')).rejects.toMatchObject({ exitCode: 2 })
})

test('Ctrl-C ends the check with the results so far, and every webhook is released', async () => {
  shop = await startSmallShop(gateway.addresses.base, gateway.merchant, 'ignores webhooks')
  const stopping = new AbortController()
  const { results, ended } = await runCheck(
    reach(),
    readPlan(JSON.stringify({ ...PLAN, settle: 600 }), shop.url, gateway.url),
    {
      only: ['plain', 'payer-never-returns'],
      signal: stopping.signal,
      onStart: (name) =>
        void (name === 'payer-never-returns' && setTimeout(() => stopping.abort(), 500)),
    },
  )
  expect([results.map((result) => result.case), ended]).toEqual([['plain'], 'The check was ended.'])
  expect([await heldDeliveries(), await control('/webhooks/sending')]).toMatchObject([
    [],
    { hold: false },
  ])
})

/** Starts a shop with the given answers. */
async function startBadShop(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(answer)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  shop = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

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
    await startBadShop((_request, response) => answer(response))
    const error: Error = await command(
      ...(name === 'hangs' ? ['--plan', join(folder, 'impatient.json')] : []),
    ).catch((caught) => caught)
    expect(error).toMatchObject({ exitCode: 2, message: expect.stringMatching(says) })
    expect(error.message).not.toContain('\n')
    expect([await control('/faults'), await control('/webhooks/sending')]).toMatchObject([
      { faults: [] },
      { hold: false },
    ])
  },
)

/** Reads the transactions of an order from the API. */
async function transactionsOf(paymentRef: string) {
  const { id, password } = gateway.merchant
  const headers = { authorization: `Basic ${btoa(`${id}:${password}`)}` }
  const address = `${gateway.url}/v1/transactions?filter[payment_ref]=${paymentRef}`
  return (await fetch(address, { headers })).json()
}

test('if the shop stops during a case, the check ends with the case and the reason, and other data stay unchanged', async () => {
  const small = await startSmallShop(gateway.addresses.base, gateway.merchant)
  shop = small
  const bought = await fetch(`${small.url}/buy`, { method: 'POST', redirect: 'manual' })
  const [{ payment_ref }] = (await transactionsOf('*')) as [{ payment_ref: string }]
  const before = [await transactionsOf(payment_ref), await control('/clock?merchant_id=1')]
  expect([bought.status, before[0].length]).toEqual([303, 1])
  const { results, ended } = await runCheck(
    reach(),
    readPlan(JSON.stringify(PLAN), small.url, gateway.url),
    {
      onStart: (name) => void (name === 'webhook-twice' && small.close()),
    },
  )
  expect(results.at(-1)).toMatchObject({ case: 'webhook-twice', verdict: 'failed' })
  expect(ended).toMatch(/^The check ended in the case "webhook-twice": .*did not answer/)
  expect(await transactionsOf(payment_ref)).toEqual(before[0])
  expect([
    await heldDeliveries(),
    await control('/webhooks/sending'),
    await control('/faults'),
    await control('/clock?merchant_id=1'),
  ]).toMatchObject([[], { hold: false }, { faults: [] }, { mode: before[1].mode }])
})

test('if no gateway runs, the check starts one for itself and stops it', async () => {
  const url = `http://127.0.0.1:${await freePort()}`
  const small = await startSmallShop(url, gateway.merchant)
  shop = small
  const printed: string[] = []
  const args = [small.url, '--plan', join(folder, 'plan.json'), '--only', 'plain', '--gateway', url]
  const status = await check(args, {}, (text) => void printed.push(text), runGateway)
  expect([status, printed.join(' ')]).toEqual([
    0,
    expect.stringContaining('started one with data in memory'),
  ])
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

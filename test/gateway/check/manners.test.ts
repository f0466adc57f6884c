import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
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

test('before it starts the check prints the number of cases and their expected duration', async () => {
  shop = await startSmallShop(gateway.addresses.base, gateway.merchant)
  const { printed } = await command('--only', 'plain', '--only', 'return-twice')
  expect(printed).toMatch(
    /^Buys in http\S+ for 2 cases and holds the webhooks of merchant 1.* about 1 second, and/,
  )
  expect((await command('--only', 'plain')).printed).toMatch(
    / for 1 case and .* about 1 second, and/,
  )
})

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

test("the story of a failure has its steps, the state of the order, and the gateway's records", async () => {
  shop = await startSmallShop(gateway.addresses.base, gateway.merchant, 'fulfils twice')
  const { printed } = await command('--only', 'return-twice', '--json')
  const [{ steps, payments }] = JSON.parse(printed).results
  expect(steps.map(({ says }: { says: string }) => says)).toEqual([
    expect.stringMatching(/^The payer buys/),
    expect.stringMatching(/^The payer pays/),
    expect.stringMatching(/^The payer's browser opens/),
    expect.stringMatching(/^The payer's browser opens/),
    expect.stringMatching(/^The webhooks of/),
  ])
  expect([steps[2].shows, steps[3].shows]).toEqual([
    expect.stringContaining('fulfilled 1'),
    expect.stringContaining('fulfilled 2'),
  ])
  const [{ cause }] = JSON.parse(printed).results
  expect(cause).toMatch(
    /for one payment\. The second time was in step 4: The payer's browser opens /,
  )
  expect(payments[0].entries.map(({ kind }: { kind: string }) => kind)).toEqual(
    expect.arrayContaining(['request', 'webhook']),
  )
})

test('the HTML report is one file with cause, story, fix and the command to repeat', async () => {
  shop = await startSmallShop(gateway.addresses.base, gateway.merchant, 'fulfils twice')
  const file = join(folder, 'report.html')
  await command('--only', 'return-twice', '--only', 'plain', '--html', file)
  const html = await readFile(file, 'utf8')
  for (const part of [
    'fulfilled 2 times',
    '<ol><li>',
    '/docs/reference/check-cases#',
    '--repeat return-twice',
    '/console/transactions/',
  ])
    expect(html).toContain(part)
  expect(html).not.toMatch(/<script|<link|src=/)
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

test('check --list survives a reader that closes the pipe', async () => {
  const program = [`${import.meta.dirname}/../../../mock-gateway/cli.ts`, 'check', '--list']
  const child = spawn(process.execPath, program, { stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.destroy()
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors += text
  })
  const [code] = await once(child, 'exit')
  expect([code, errors]).toEqual([0, expect.not.stringContaining('EPIPE')])
})

test('a write is sent again if the gateway has just closed the idle connection', async () => {
  const bodies: string[] = []
  const server = createServer(async (received, response) => {
    const body = await text(received)
    if (body === 'second=1' && bodies.at(-1) !== 'closed') {
      bodies.push('closed')
      received.socket.resetAndDestroy()
      return
    }
    bodies.push(body)
    response.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const send = (body: string) =>
    request(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      body: new URLSearchParams(body),
      reusesConnection: true,
    })
  await send('first=1')
  expect((await send('second=1')).status).toBe(200)
  expect(bodies).toEqual(['first=1', 'closed', 'second=1'])
})

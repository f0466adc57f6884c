import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
} from 'vitest'
import { parse } from 'yaml'
import { isStale } from '../../../examples/build.ts'
import { startShop as startFormPost } from '../../../examples/form-post/server.ts'
import { startShop as startHostedIframe } from '../../../examples/hosted-iframe/server.ts'
import { startShop as startHostedRedirect } from '../../../examples/hosted-redirect/server.ts'
import { startShop as startReact } from '../../../examples/react/server.ts'
import { pay } from '../../../examples/server-to-server/pay.ts'
import { readPlan } from '../../../mock-gateway/check/plan.ts'
import { runCheck } from '../../../mock-gateway/check/run.ts'
import { settingsList } from '../../../mock-gateway/cli/settings-table.ts'
import { type RunningGateway, runGateway } from '../../../mock-gateway/cli.ts'
import { inRepository, read } from '../../helpers/documents.ts'
import { GATEWAY_PROGRAM, isHere, startProgram } from '../../helpers/program.ts'
import { runInMemory } from '../../helpers/running.ts'
import { freePort } from '../../setup/free-port.ts'
import { createManualTime } from '../check/manual-time.ts'

describe('server to server', () => {
  const PROGRAM = 'examples/server-to-server/pay.ts'

  let gateway: RunningGateway
  beforeAll(async () => {
    gateway = await runInMemory()
  })
  afterAll(() => gateway.close())

  test('a server reserves a payment, captures a part and refunds a part', async () => {
    const lines: string[] = []
    const id = await pay({
      gateway: gateway.url,
      merchant: gateway.merchant,
      print: (line) => lines.push(line),
    })
    expect(lines).toEqual([
      `Reserved 250.00 SEK on 411111******1111: transaction ${id} is authorized`,
      `Took 200.00 SEK of it: transaction ${id} is approved`,
      expect.stringMatching(/^Gave 50\.00 SEK back: refund \d+$/),
    ])
    const authorization = `Basic ${btoa(`${gateway.merchant.id}:${gateway.merchant.password}`)}`
    const answer = await fetch(`${gateway.url}/v1/transactions/${id}`, {
      headers: { authorization },
    })
    expect(await answer.json()).toMatchObject({
      status: 'approved',
      amount: '200.00',
      org_auth_amount: 250,
      captures: [{ amount: '200.00' }],
      refunds: [{ amount: '50.00', reason: 'One cup came broken' }],
    })
  })

  test('the program pays at the given gateway', async () => {
    const program = startProgram(PROGRAM, ['--gateway', gateway.url])
    expect(await program.ended).toBe(0)
    expect(program.output().split('\n')).toHaveLength(4)
  })
})

describe('programs', () => {
  const KEY = 'key-of-the-examples'

  let gateway: RunningGateway
  beforeAll(async () => {
    const args = ['--memory', '--port', '0', '--control-key', KEY]
    gateway = await runGateway(args, { LOG_LEVEL: 'silent' }, () => {})
  })
  afterAll(() => gateway.close())

  async function run(file: string, ...more: string[]) {
    const program = startProgram(file, ['--gateway', gateway.url, '--control-key', KEY, ...more])
    return { code: await program.ended, lines: program.output().trimEnd().split('\n') }
  }

  const clock = async () => {
    const answer = await fetch(`${gateway.url}/_control/clock?merchant_id=1`, {
      headers: { 'x-control-key': KEY },
    })
    return (await answer.json()) as { mode: string }
  }

  test('webhook-receiver verifies each attempt, answers 500 twice, and is called again at the retry times', async () => {
    const { code, lines } = await run('examples/webhook-receiver/receive.ts')
    expect(lines).toEqual([
      expect.stringMatching(/^Paid 250\.00 SEK, webhook to http:\/\/127\.0\.0\.1:\d+\/hook$/),
      expect.stringMatching(
        /^Attempt 1: signature right, response_hash right, transaction \d+ is approved, answered 500$/,
      ),
      expect.stringMatching(/^Attempt 2: .* answered 500$/),
      expect.stringMatching(/^ {2}after the clock was moved to the retry, \S+Z$/),
      expect.stringMatching(/^Attempt 3: .* answered 200$/),
      expect.stringMatching(/^ {2}after the clock was moved to the retry, \S+Z$/),
      'Taken after 3 attempts',
    ])
    expect(code).toBe(0)
    expect((await clock()).mode).toBe('real')
  })

  test('subscription charges five years of months, and resumes the clock', async () => {
    const { code, lines } = await run('examples/subscription/charge.ts')
    const years = lines.filter((line) => /^ {2}\d{4}: /.test(line))
    const counts = years.map((line) => Number(/: (\d+) charges/.exec(line)?.[1]))
    const charges = counts.reduce((sum, count) => sum + count, 0)
    // The first period is charged immediately, and the last one after five years.
    expect(charges).toBe(61)
    expect(counts.slice(1, -1)).toEqual([12, 12, 12, 12])
    for (const line of years) expect(line).toMatch(/all approved$/)
    expect(lines.at(-1)).toMatch(/^61 charges until \S+Z$/)
    expect(code).toBe(0)
    expect((await clock()).mode).toBe('real')
  })
})

describe('the check', () => {
  /** Tests that the example shops that store orders pass cases of the check. */

  const ORDER = {
    get: '/orders/{payment_ref}.json',
    paid: "state = 'paid'",
    amount: 'amount',
    currency: 'currency',
    fulfilled: 'fulfilled',
    refunded: 'refunded',
  }

  /** Cases of the code that the hosted shops share. */
  const HOSTED = [
    'plain',
    'double-click',
    'declined-then-paid',
    'return-twice',
    'return-unpaid',
    'webhook-twice',
    'webhook-and-return-at-once',
    'webhook-forged-status',
    'answer-lost',
    'refund',
    'refund-in-parts',
  ]

  test.for([
    ['hosted-redirect', startHostedRedirect, { post: '/orders' }, HOSTED],
    ['hosted-iframe', startHostedIframe, { post: '/orders' }, ['plain', 'back-from-bank']],
    ['form-post', startFormPost, { get: '/' }, ['plain', 'declined-then-paid', 'return-unpaid']],
    ['react', startReact, { post: '/orders' }, ['plain', 'bank-approves', 'return-unpaid']],
  ] as const)('the example %s passes the check', async ([, startShop, buy, only]) => {
    const gateway = await runInMemory()
    onTestFinished(() => gateway.close())
    const shop = await startShop({
      port: 0,
      gateway: gateway.addresses,
      merchant: gateway.merchant,
    })
    onTestFinished(() => shop.close())
    const plan = readPlan(
      JSON.stringify({ buy, order: ORDER, settle: 1, quiet: 0 }),
      shop.url,
      gateway.url,
    )
    const reach = {
      url: gateway.url,
      controlKey: gateway.control.key ?? '',
      merchant: gateway.merchant,
    }
    const { results } = await runCheck(reach, plan, { only, time: createManualTime() })
    const failed = results.filter(({ verdict }) => verdict === 'failed')
    expect(failed.map((result) => `${result.case}: ${result.cause}`)).toEqual([])
  })
})

describe('docker compose', () => {
  /** Service of a compose file, with the fields that the test reads. */
  interface Service {
    readonly environment?: Readonly<Record<string, string>>
    readonly depends_on?: Readonly<Record<string, object>>
  }

  const SERVICES: Readonly<Record<string, Service>> = parse(read('examples/compose/compose.yaml'), {
    merge: true,
  }).services

  test('compose.yaml names settings and services that exist', () => {
    const known: readonly string[] = ['MONDIDO_CONFIG', ...settingsList.map(({ env }) => env)]
    for (const [name, { environment = {}, depends_on = {} }] of Object.entries(SERVICES)) {
      if (name.startsWith('gateway'))
        expect(Object.keys(environment).filter((each) => !known.includes(each))).toEqual([])
      expect(Object.keys(depends_on).filter((each) => !(each in SERVICES))).toEqual([])
    }
  })

  if (isHere('php'))
    test('the order of the PHP shop in the compose file is paid', async () => {
      const [port, shopPort] = [String(await freePort()), String(await freePort())]
      const config = inRepository('examples/compose/mondido.config.json')
      const gateway = startProgram(GATEWAY_PROGRAM, [
        '--memory',
        '--port',
        port,
        '--config',
        config,
      ])
      await gateway.printed(/REST API/)
      const shopUrl = `http://127.0.0.1:${shopPort}`
      const env = {
        ...SERVICES.shop?.environment,
        GATEWAY: `http://127.0.0.1:${port}`,
        SHOP: shopUrl,
        SHOP_FOR_GATEWAY: shopUrl,
        TMPDIR: await mkdtemp(join(tmpdir(), 'php-shop-')),
      }
      const php = ['-S', `127.0.0.1:${shopPort}`, 'examples/compose/shop/index.php']
      const shop = startProgram(php[0] ?? '', php.slice(1), env, 'php')
      try {
        await expect
          .poll(() =>
            fetch(shopUrl).then(
              ({ ok }) => ok,
              () => false,
            ),
          )
          .toBe(true)
        const pressed = await fetch(`${shopUrl}/pay`, { method: 'POST', redirect: 'manual' })
        const page = pressed.headers.get('location') ?? ''
        expect(page).toMatch(/\/v1\/form\/\w+/)
        const headers = { authorization: `Basic ${btoa('7:shop-password')}` }
        const [prepared] = await (
          await fetch(`http://127.0.0.1:${port}/v1/transactions`, { headers })
        ).json()
        const card = {
          card_number: '4111111111111111',
          card_holder: 'Kim',
          card_expiry: '1235',
          card_cvv: '200',
        }
        const body = new URLSearchParams({ ...card, process: 'true' })
        const place = `http://127.0.0.1:${port}/v1/transactions/${prepared.id}`
        expect(await (await fetch(place, { method: 'PUT', headers, body })).json()).toMatchObject({
          status: 'approved',
        })
        await expect
          .poll(async () => (await fetch(shopUrl)).text())
          .toContain(`<li>${prepared.payment_ref}</li>`)
      } finally {
        await Promise.all([shop.stop(), gateway.stop()])
        await rm(env.TMPDIR, { recursive: true })
      }
    })
})

describe('npm', () => {
  describe('npm start builds the library', () => {
    let folder: string
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'stale-'))
      await mkdir(join(folder, 'sdk/card'), { recursive: true })
      for (const [name, at] of [
        ['sdk/card/luhn.ts', 1000],
        ['sdk', 1000],
        ['sdk/card', 1000],
        ['built.js', 2000],
      ] as const)
        await writeAt(name, at)
    })
    afterEach(() => rm(folder, { recursive: true }))

    /** Sets the time of a file or folder to `at` in seconds. A file is created first. */
    async function writeAt(name: string, at: number) {
      if (name.includes('.')) await writeFile(join(folder, name), '')
      await utimes(join(folder, name), at, at)
    }
    const stale = () => isStale(folder, 'built.js', ['sdk', 'sdk/**'])

    test('but not again if nothing has changed', () => expect(stale()).toBe(false))
    test('if it is missing', async () => {
      await rm(join(folder, 'built.js'))
      expect(stale()).toBe(true)
    })
    test('if a source is newer', async () => {
      await writeAt('sdk/card/luhn.ts', 3000)
      expect(stale()).toBe(true)
    })
    test('if a source was deleted', async () => {
      await rm(join(folder, 'sdk/card/luhn.ts'))
      expect(stale()).toBe(true)
    })
  })
})

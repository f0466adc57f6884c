import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startShop as startFormPost } from '../../../examples/form-post/server.ts'
import { startShop as startHostedIframe } from '../../../examples/hosted-iframe/server.ts'
import { startShop as startHostedRedirect } from '../../../examples/hosted-redirect/server.ts'
import { startShop as startReact } from '../../../examples/react/server.ts'
import { pay } from '../../../examples/server-to-server/pay.ts'
import { readPlan } from '../../../mock-gateway/check/plan.ts'
import { runCheck } from '../../../mock-gateway/check/run.ts'
import { type RunningGateway, runGateway } from '../../../mock-gateway/cli.ts'
import { startProgram } from '../../helpers/program.ts'
import { runInMemory } from '../../helpers/running.ts'
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
    const { results } = await runCheck(reach, plan, {
      only,
      time: createManualTime(),
    })
    const failed = results.filter(({ verdict }) => verdict === 'failed')
    expect(failed.map((result) => `${result.case}: ${result.cause}`)).toEqual([])
  })
})

/**
 * Tests with small shops in PHP, Ruby and Python: the correct shops pass the check, and the check
 * finds each planted fault with its cause. Other shops have the webhook handlers of old plug-ins.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { readPlan } from '../../../mock-gateway/check/plan.ts'
import { runCheck } from '../../../mock-gateway/check/run.ts'
import { type RunningGateway, runGateway } from '../../../mock-gateway/cli.ts'
import { isHere, programEnv } from '../../helpers/program.ts'
import { isLong } from '../../helpers/some.ts'
import { type BalancedProgram, startBalancedProgram } from './balanced-program.ts'
import { createManualTime } from './manual-time.ts'

const PLAN = {
  buy: { post: '/buy' },
  order: {
    get: '/orders/{payment_ref}.json',
    paid: "status = 'paid'",
    amount: 'amount',
    currency: 'currency',
    fulfilled: 'fulfilled',
    refunded: 'refunded',
  },
  settle: 1,
  quiet: 0,
}

type Language = 'php' | 'ruby' | 'python3'

const COMMANDS: Readonly<Record<Language, (port: string) => readonly string[]>> = {
  php: (port) => ['-S', `127.0.0.1:${port}`, 'test/gateway/check/shops/php/shop.php'],
  ruby: (port) => ['test/gateway/check/shops/ruby/shop.rb', port],
  python3: (port) => ['test/gateway/check/shops/python/shop.py', port],
}
const LANGUAGES = Object.keys(COMMANDS) as Language[]

/** A fault of a shop, the case that finds it, and the cause that the check names. */
interface Planted {
  readonly language: Language
  readonly fault: string
  readonly case: string
  readonly cause: RegExp
}

const planted = (
  language: Language,
  rows: readonly (readonly [string, string, RegExp])[],
): Planted[] => rows.map(([fault, name, cause]) => ({ language, fault, case: name, cause }))

const TWICE = /fulfilled 2 times for one payment/
const NOT_FULFILLED = /payer paid, and the order was not fulfilled/
const UNPAID = /fulfilled without a payment/
const NO_ANSWER = /did not answer/

/** Planted faults. The quick run has the first row of each language. */
const PLANTED: readonly Planted[] = [
  ...planted('php', [
    [
      'lets two processes complete one order object',
      'webhook-and-return-at-once',
      /fulfilled [23] times/,
    ],
    ['makes an order from the return and another from the webhook', 'plain', TWICE],
    ['fulfils at every return', 'return-twice', TWICE],
    ['shows the amount in hundredths', 'plain', /shows 10000, and 100.00 was paid/],
    ['verifies the signature of JSON that it wrote itself', 'payer-never-returns', NOT_FULFILLED],
    ['leaves its lock after a broken webhook', 'webhook-cut', NOT_FULFILLED],
    ['ignores a webhook that comes before the return', 'payer-never-returns', NOT_FULFILLED],
    ['believes every webhook', 'webhook-forged-status', UNPAID],
    ['believes the status in the return address', 'return-unpaid', UNPAID],
    ['thanks every payer who returns', 'return-unpaid', UNPAID],
  ]),
  ...planted('ruby', [
    ['closes an order that was declined', 'declined-then-paid', NOT_FULFILLED],
    [
      'lets return and webhook run without a lock',
      'webhook-and-return-at-once',
      /fulfilled [23] times/,
    ],
    ['remembers the text of a webhook instead of its id', 'webhook-forged-amount', TWICE],
    ['never shows an order as paid', 'plain', /does not show it as paid/],
    [
      'does not ask for refunds',
      'refund',
      /50.00 was refunded at the gateway, and the order shows 0.00/,
    ],
    [
      'keeps the cart locked after an error',
      'service-down',
      /answered 503 without sending the payer/,
    ],
    ['reads the payment of the return and not its order', 'return-of-another-order', UNPAID],
    ['reads webhooks as a form', 'payer-never-returns', NOT_FULFILLED],
    ['finds orders by an id that the return brings', 'payer-never-returns', NOT_FULFILLED],
    ['lets an error of the gateway end the request', 'service-down', NO_ANSWER],
  ]),
  ...planted('python3', [
    [
      'shows a part of a refund as all of it',
      'refund',
      /50.00 was refunded at the gateway, and the order shows 100.00/,
    ],
    ['reads the order and writes it later', 'webhook-and-return-at-once', /fulfilled [23] times/],
    ['counts each webhook as a payment', 'webhook-twice', /fulfilled 3 times|fulfilled 2 times/],
    ['fulfils every payment that did not fail', 'declined', UNPAID],
    ['checks the hash of a return and not its order', 'return-of-another-order', UNPAID],
    ['notes a webhook before it reads it', 'webhook-cut', NOT_FULFILLED],
    [
      'takes the order from the webhook and the status from the gateway',
      'webhook-of-another-order',
      UNPAID,
    ],
    ['compares the currency letter by letter', 'payer-never-returns', NOT_FULFILLED],
    ['deletes an order that was declined', 'declined-then-paid', /instead of an order/],
    ['lets an error of the gateway end the request', 'answer-lost', NO_ANSWER],
  ]),
]

let gateway: RunningGateway
let folder: string
let shop: BalancedProgram | undefined
beforeAll(async () => {
  gateway = await runGateway(['--memory', '--port', '0'], { LOG_LEVEL: 'silent' }, () => {})
  folder = await mkdtemp(join(tmpdir(), 'mondido-shops-'))
})
afterEach(() => shop?.close())
afterAll(async () => {
  await gateway.close()
  await rm(folder, { recursive: true })
})

async function checked(language: Language, fault: string, only: readonly string[], seed?: number) {
  return checkedProgram(language, COMMANDS[language], fault, only, seed)
}

/** Number of processes of a shop. PHP's own server answers one request at a time. */
const PROCESSES: Readonly<Record<string, number>> = { php: 4 }

/**
 * Runs the check with a shop.
 * @param fault planted fault, or plug-in whose handlers the shop has
 */
async function checkedProgram(
  program: string,
  args: (port: string) => readonly string[],
  fault: string,
  only: readonly string[],
  seed?: number,
) {
  const { id, password, secret } = gateway.merchant
  const env = {
    ...programEnv(),
    MONDIDO_BASE_URL: gateway.url,
    MONDIDO_MERCHANT_ID: String(id),
    MONDIDO_PASSWORD: password,
    MONDIDO_SECRET: secret,
    FAULT: fault,
    PLUG_IN: fault,
    SHOP_FOLDER: await mkdtemp(join(folder, 'orders-')),
  }
  shop = await startBalancedProgram(program, args, env, PROCESSES[program] ?? 1)
  const plan = readPlan(JSON.stringify(PLAN), shop.url, gateway.url)
  const reach = {
    url: gateway.url,
    controlKey: gateway.control.key ?? '',
    merchant: gateway.merchant,
  }
  const time = createManualTime()
  return (await runCheck(reach, plan, { only, time, ...(seed !== undefined && { seed }) })).results
}

/** Cases of the quick run; the full run has all. */
const QUICK = [
  ...new Set([...PLANTED.map((each) => each.case), 'handler-fails-first', 'answer-cut']),
]

/** Seeds with which each correct shop is checked. The full run has twenty seeds. */
const RUNS = Array.from({ length: isLong ? 20 : 1 }, (_, seed) =>
  LANGUAGES.filter((program) => isHere(program)).map((language) => ({ language, seed })),
).flat()

test.for(RUNS)(
  'a correct shop in $language passes every case with seed $seed',
  async ({ language, seed }) => {
    const results = await checked(language, '', isLong ? [] : QUICK, seed)
    expect(results.filter(({ verdict }) => verdict === 'failed')).toEqual([])
  },
)

const tried = PLANTED.filter(
  ({ language, fault }) =>
    isHere(language) &&
    (isLong || PLANTED.find((each) => each.language === language)?.fault === fault),
)

test.for(tried)(
  'in $language the check finds a shop that $fault',
  async ({ language, fault, case: name, cause }) => {
    expect(await checked(language, fault, [name])).toMatchObject([
      { case: name, verdict: 'failed', cause: expect.stringMatching(cause) },
    ])
  },
)

/** Cases that the handlers of old plug-ins fail, see docs/how-to/plug-ins.md. */
const PLUG_INS: Readonly<Record<string, readonly string[]>> = {
  woocommerce: [
    'other-amount',
    'other-currency',
    'webhook-two-connections',
    'handler-slow',
    'refund',
  ],
  prestashop: ['other-amount', 'other-currency'],
  magento: [
    'other-currency',
    'webhook-two-connections',
    'handler-slow',
    'webhook-of-another-order',
    'refund',
  ],
}

const startPlugIn = (port: string) => [
  '-S',
  `127.0.0.1:${port}`,
  'test/gateway/check/shops/php/plug-ins.php',
]

test.for(isHere('php') ? Object.entries(PLUG_INS) : [])(
  'the handlers of the old plug-in for %s fail the cases of the document',
  async ([plugIn, cases]) => {
    const only = [...cases, 'plain', 'webhook-first', 'declined-then-paid']
    const results = await checkedProgram('php', startPlugIn, plugIn, only)
    const failed = results.filter(({ verdict }) => verdict === 'failed')
    expect(failed.map((result) => result.case).toSorted()).toEqual(cases.toSorted())
    const guide = await readFile('docs/how-to/plug-ins.md', 'utf8')
    expect(cases.filter((name) => !guide.includes(`\`${name}\``))).toEqual([])
  },
)

import jQuery from 'jquery'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { MondidoOptions } from '../../../sdk/types.ts'
import { HREF, type NetworkFault } from '../helpers/gateway.ts'
import { createKeyPair } from '../helpers/keys.ts'
import {
  attemptPayment,
  ending,
  failPayment,
  failure,
  forbidByPolicy,
  installLibrary,
  payableForm,
  press,
  recordStates,
  thawPage,
} from '../helpers/shop.ts'
import { useStage } from '../helpers/stage.ts'

const stage = useStage()

describe('an old key', () => {
  const { publicKey } = createKeyPair()
  const RELOAD = 'Reload the page and try again. Nothing was charged.'

  beforeEach(() => void installLibrary({ ...stage.gateway.config, publicKey }))

  test('a payment under an old key is made under the new one, which the library fetches once', async () => {
    const form = payableForm()
    const states = recordStates(form)
    expect(await attemptPayment(form)).toMatchObject({ transaction: { status: 'approved' } })
    expect(states).toEqual(['before', 'encrypting', 'sending', 'encrypting', 'sending', 'success'])
    const [old, fresh] = stage.gateway.payments
    expect(old?.fields.get('mondido_attempt')).toBe(fresh?.fields.get('mondido_attempt'))
  })

  test.for<[string, MondidoOptions, object]>([
    ['the page gave the key', { publicKey }, {}],
    ['the script cannot be fetched', {}, { cdnUrl: 'http://gateway.test/nowhere' }],
  ])('the payer is asked to reload when %s', async ([, options, config]) => {
    installLibrary({ ...stage.gateway.config, publicKey, ...config })
    const form = payableForm(
      { timeouts: { status: 500 }, ...options },
      { fields: { locale: 'en' } },
    )
    expect(await failPayment(form)).toMatchObject({
      code: 197,
      outcome: 'rejected',
      message: RELOAD,
    })
    expect(stage.gateway.payments).toHaveLength(1)
  })
})

const quick = { timeouts: { statusRetry: 1 } }
/** Returns options with a short time limit for faults without an answer. */
const timeLimit = (fault: NetworkFault) =>
  fault === 'silence' ? { timeouts: { request: 1_000, statusRetry: 500 } } : quick
const FAULTS: NetworkFault[] = ['lost answer', 'garbage', 'unavailable', 'server error', 'silence']

test.for(FAULTS)(
  "a payment whose answer was lost (%s) has the gateway's result: paid",
  async (fault) => {
    const form = payableForm(timeLimit(fault))
    stage.gateway.breakNext(fault)
    expect(await attemptPayment(form)).toMatchObject({ transaction: { status: 'approved' } })
    expect(stage.gateway.payments).toHaveLength(1)
  },
)

test.for(FAULTS)(
  "a payment whose answer was lost (%s) has the gateway's result: declined",
  async (fault) => {
    const form = payableForm(timeLimit(fault), { card: { card_cvv: '201' } })
    stage.gateway.breakNext(fault)
    expect(await failPayment(form)).toMatchObject({
      name: 'errors.payment.declined',
      outcome: 'rejected',
    })
  },
)

test('the status request contains attempt and merchant', async () => {
  const form = payableForm(quick)
  stage.gateway.breakNext('lost answer')
  await attemptPayment(form)
  const attempt = stage.gateway.payments[0]?.fields.get('mondido_attempt')
  expect(stage.gateway.lookups.map(String)).toEqual([
    `http://gateway.test/v1/attempts/${attempt}?merchant_id=1`,
  ])
})

test.for<[NetworkFault, string]>([
  ['garbage', 'api.malformed'],
  ['unavailable', 'network.unreachable'],
  ['server error', 'network.unreachable'],
  ['silence', 'network.timeout'],
])(
  'without an answer to the status request (%s) the outcome is unknown: %s',
  async ([fault, code]) => {
    const form = payableForm({ timeouts: { ...timeLimit(fault).timeouts, statusRetry: 1 } })
    stage.gateway.breakNext(fault)
    stage.gateway.breakLookups()
    expect(await failPayment(form)).toMatchObject({ code, outcome: 'unknown', retryable: false })
    expect(stage.gateway.lookups).toHaveLength(3)
    expect(document.querySelector('[role=status]')?.textContent).toContain('before you pay again')
  },
)

test('a request that never arrived has an unknown outcome if it took some time', async () => {
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 100
    return now
  })
  const form = payableForm(quick)
  stage.gateway.breakNext('lost request')
  expect(await failPayment(form)).toMatchObject({
    code: 'network.unreachable',
    outcome: 'unknown',
    retryable: false,
  })
  expect(stage.gateway.lookups).toHaveLength(3)
})

test.for<[string, 'not_sent' | 'unknown', boolean]>([
  ['the gateway knows no such attempt', 'not_sent', true],
  ['the gateway cannot be reached', 'unknown', false],
])(
  'a request that the browser stopped immediately has, if %s, the outcome: %s',
  async ([, outcome, retryable]) => {
    const form = payableForm(quick)
    vi.spyOn(performance, 'now').mockReturnValue(0)
    stage.gateway.breakNext('lost request')
    if (outcome === 'unknown') stage.gateway.breakLookups()
    expect(await failPayment(form)).toMatchObject({ code: 'network.blocked', outcome, retryable })
  },
)

test('no status request is sent for a payment to another address than the service’s', async () => {
  const form = payableForm({ ...quick, url: 'http://gateway.test/pay' })
  expect(await failPayment(form)).toMatchObject({ outcome: 'unknown' })
  expect(stage.gateway.lookups).toEqual([])
})

test('a browser that reports it is offline still reaches a gateway on the same computer', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  const form = payableForm(quick)
  expect(await attemptPayment(form)).toMatchObject({ transaction: { status: 'approved' } })
})

test('a request that took some time while the browser is offline has an unknown outcome', async () => {
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 100
    return now
  })
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  const form = payableForm(quick)
  stage.gateway.breakNext('lost request')
  expect(await failPayment(form)).toMatchObject({ code: 'network.unreachable', outcome: 'unknown' })
})

test('the console names the address that did not answer', async () => {
  const form = payableForm(quick)
  vi.spyOn(performance, 'now').mockReturnValue(0)
  stage.gateway.breakNext('lost request')
  await failPayment(form)
  expect(stage.errors).toEqual([
    [expect.stringContaining('The request to http://gateway.test/v1/transactions')],
  ])
})

const forbid = () => forbidByPolicy('connect-src', 'http://gateway.test')

test.for<[string, NetworkFault, object]>([
  [
    'and came after the payment, as the gateway remembers it',
    'lost answer',
    { transaction: { status: 'approved' } },
  ],
  [
    'and nothing arrived, as not sent',
    'lost request',
    { error: { code: 'network.csp', outcome: 'not_sent' } },
  ],
])(
  'a redirect or request that the policy of the page forbids ends, %s',
  async ([, fault, expected]) => {
    const form = payableForm(quick)
    stage.gateway.breakNext(fault)
    const end = ending(form)
    press(form)
    forbid()
    expect(await end).toMatchObject(expected)
  },
)

test('a payment is not sent when the policy of the page forbids the gateway, status requests included', async () => {
  const form = payableForm(quick)
  stage.gateway.breakNext('lost request')
  stage.gateway.breakLookups()
  const end = failure(form)
  press(form)
  forbid()
  await vi.waitUntil(() => stage.gateway.lookups.length > 0, { interval: 1, timeout: 60_000 })
  forbid()
  expect(await end).toMatchObject({ code: 'network.csp', outcome: 'not_sent' })
})

test('a page that was frozen during a payment asks for its result', async () => {
  const form = payableForm(quick)
  stage.gateway.breakNext('silence')
  const end = ending(form)
  press(form)
  await stage.gateway.arrival()
  await stage.gateway.done()
  thawPage()
  expect(await end).toMatchObject({ transaction: { status: 'approved' } })
})

test('a page that was frozen and cannot send a status request has the outcome unknown', async () => {
  const form = payableForm(quick)
  stage.gateway.breakNext('silence')
  stage.gateway.breakLookups()
  const end = failure(form)
  press(form)
  await stage.gateway.arrival()
  thawPage()
  expect(await end).toMatchObject({
    code: 'network.unreachable',
    outcome: 'unknown',
    retryable: false,
  })
})

test.for([
  [
    true,
    /^mondido\.js: api\.refused: The gateway returned an error: errors\.hash\.\w+\. hash must be the MD5 of "1order-.*sektest\*\*\*".*#error-107$/,
  ],
  [
    false,
    /^mondido\.js: api\.refused \{"error":"errors\.hash\.\w+"\} http:\/\/gateway\.test\/docs#error-107$/,
  ],
] as const)(
  'the console shows a rejection, with the explanation of the gateway if a developer reads the console (%s)',
  async ([debug, told]) => {
    const form = payableForm({ debug }, { fields: { hash: 'wrong' } })
    await failPayment(form)
    expect(stage.warnings.flat().filter((text) => String(text).includes('api.'))).toEqual([
      expect.stringMatching(told),
    ])
  },
)

test.for(['approved', 'authorized'])('a transaction that is %s is a success', async (status) => {
  const form = payableForm(quick)
  stage.gateway.breakNext({ status })
  expect(await attemptPayment(form)).toMatchObject({ transaction: { status } })
})

test.for(['pending', '3ds pending'])(
  'a transaction that is %s is pending at its page, and not a success',
  async (status) => {
    const form = payableForm(quick, { fields: { locale: 'sv' } })
    stage.gateway.breakNext({ status })
    const error = await failPayment(form)
    expect(error).toMatchObject({
      code: 'api.pending',
      outcome: 'pending',
      retryable: false,
      transaction: { href: HREF },
    })
    expect(error.message).toBe(`Betalningen är inte klar ännu. Fortsätt här: ${HREF}`)
    expect(jQuery(form).mondido('state')).toBe('fail')
  },
)

test.for(['declined', 'failed'])('a transaction that is %s is a decline', async (status) => {
  const form = payableForm(quick)
  stage.gateway.breakNext({ status })
  expect(await failPayment(form)).toMatchObject({
    name: 'errors.payment.declined',
    outcome: 'rejected',
  })
})

test.for(['capture pending', 'refunded', 'constructor', ''])(
  'the unknown status "%s" has an unknown outcome',
  async (status) => {
    const form = payableForm(quick)
    stage.gateway.breakNext({ status })
    stage.gateway.breakLookups()
    expect(await failPayment(form)).toMatchObject({
      code: 'api.malformed',
      outcome: 'unknown',
      retryable: false,
    })
  },
)

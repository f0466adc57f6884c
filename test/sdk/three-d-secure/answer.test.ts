import { describe, expect, test, vi } from 'vitest'
import { readAuthentication } from '../../../sdk/three-d-secure/bank.ts'
import type { MondidoError } from '../../../sdk/types.ts'
import { mountAtBank, PASSED, pass, payAtBank, useBank } from '../helpers/bank.ts'
import { createKeyPair } from '../helpers/keys.ts'
import { input, press } from '../helpers/shop.ts'

const bank = useBank()
const lookups = () => bank.requests.filter(({ method }) => method === 'GET')
const payments = () => bank.requests.filter(({ method }) => method === 'POST')

const WAITS = { event: 'mpi', nonce: 'n', status: 'pending', success: null }

const passed = (fields: object) => ({ kind: 'passed', fields: Object.entries(fields) })
const refused = (over: object) => ({ event: 'mpi', nonce: 'n', success: false, ...over })
const PROCESSED = { error: 'errors.payment_ref.processed', code: 146, description: 'Already paid' }

test.for<[string, unknown, unknown]>([
  [
    'JSON text',
    JSON.stringify({ ...PASSED, nonce: 'n' }),
    passed({ ref: 'm-1', eci: '05', provider_ref: 'p-1' }),
  ],
  [
    'an object',
    { ...PASSED, nonce: 'n', eci: undefined },
    passed({ ref: 'm-1', provider_ref: 'p-1' }),
  ],
  ['success without a reference', { ...PASSED, nonce: 'n', mpi_ref: null }, passed({})],
  [
    'a refusal',
    refused({ error: 'errors.mpi.not_approved' }),
    { kind: 'failed', error: 'errors.mpi.not_approved' },
  ],
  [
    'a payment that was made before',
    refused(PROCESSED),
    {
      kind: 'refused',
      status: 0,
      error: expect.objectContaining({ name: PROCESSED.error, code: 146 }),
    },
  ],
  ['a refusal without a name', refused({ error: null }), { kind: 'failed' }],
  [
    'a payer at the bank',
    { ...WAITS, at_bank: true, challenge: true },
    { kind: 'pending', isGone: false, isAsked: true },
  ],
  [
    'a payer who has left it',
    { ...WAITS, at_bank: false, challenge: false },
    { kind: 'pending', isGone: true, isAsked: false },
  ],
  [
    "a service that does not report the payer's page",
    WAITS,
    { kind: 'pending', isGone: false, isAsked: false },
  ],
  ['no success', { event: 'mpi', nonce: 'n' }, undefined],
  ['success that is not a boolean', { ...PASSED, nonce: 'n', success: 'true' }, undefined],
  ['another nonce', { ...PASSED, nonce: 'm' }, undefined],
  ['no nonce', PASSED, undefined],
  ['another event', { ...PASSED, nonce: 'n', event: 'resize' }, undefined],
  ['text that is not JSON', 'hello', undefined],
  ['nothing', null, undefined],
  ['a number', 7, undefined],
])('the library reads the bank’s answer correctly: %s', ([, data, read]) =>
  expect(readAuthentication(data, 'n')).toEqual(read),
)

test.for<[string, object | string, { origin?: string; source?: unknown }]>([
  ['from another origin', PASSED, { origin: 'https://evil.test' }],
  ['from an origin that begins like the bank’s', PASSED, { origin: 'https://pay.test.evil.test' }],
  ['from another window', PASSED, { source: window }],
  ['without a window', PASSED, { source: null }],
  ['with another nonce', { ...PASSED, nonce: '0'.repeat(32) }, {}],
  ['that is not an answer', 'resize', {}],
])('a message %s is ignored', async ([, message, from]) => {
  payAtBank(bank)
  await pass()
  bank.tell(message, from)
  await pass()
  expect(bank.events).toEqual(['mpi:open popup'])
  bank.tell(PASSED)
  await pass()
  expect(bank.events).toEqual(['mpi:open popup', 'mpi:close completed', 'payment:success'])
})

test('messages are accepted from the origins in the page’s option', async () => {
  payAtBank(bank, { mpiOrigins: ['https://acs.test'] })
  await pass()
  bank.tell(PASSED)
  await pass()
  expect(bank.closed).toEqual([])
  bank.tell(PASSED, { origin: 'https://acs.test' })
  await pass()
  expect(bank.closed).toEqual(['completed'])
})

describe('a failed authentication', () => {
  test.for<[string, string | undefined, Partial<MondidoError>]>([
    ['of the bank', 'errors.mpi.not_approved', { name: 'errors.mpi.not_approved' }],
    [
      'of the card number, told without its number',
      'errors.card_number.invalid',
      { name: 'errors.card_number.invalid', field: 'card_number' },
    ],
    ['without a name', undefined, { name: 'mpi.failed' }],
  ])('%s fails the payment before it is sent', async ([, error, expected]) => {
    const fail = vi.fn()
    const form = mountAtBank(bank)
    form.addEventListener('mondido:fail', ({ detail }) => fail(detail))
    press(form)
    await pass()
    bank.tell({ event: 'mpi', success: false, error })
    await pass()
    expect(fail.mock.calls).toMatchObject([
      [
        {
          code: 'mpi.failed',
          category: 'mpi',
          outcome: 'not_sent',
          retryable: true,
          state: 'mpi',
          ...expected,
        },
      ],
    ])
    expect(bank.requests).toEqual([])
  })
})

test("a payment that the service rejects for every payer fails with the service's error", async () => {
  const fail = vi.fn()
  const form = mountAtBank(bank)
  form.addEventListener('mondido:fail', ({ detail }) => fail(detail))
  press(form)
  await pass()
  const refusal = {
    error: 'errors.card_number.invalid',
    code: 119,
    description: 'Card number is invalid',
  }
  bank.tell({ event: 'mpi', success: false, ...refusal })
  await pass()
  expect(bank.closed).toEqual(['completed'])
  expect(fail.mock.calls).toMatchObject([
    [
      {
        code: 119,
        name: refusal.error,
        description: refusal.description,
        field: 'card_number',
        category: 'api',
        outcome: 'rejected',
      },
    ],
  ])
  expect(input(form, 'card_number').getAttribute('aria-invalid')).toBe('true')
  expect(bank.requests).toEqual([])
})

test('an old key is renewed, and the bank is called again after another click', async () => {
  payAtBank(bank)
  await pass()
  const { publicKey } = createKeyPair()
  bank.script = `var __mondido_config={"publicKey":${JSON.stringify(publicKey)}};`
  bank.tell({
    event: 'mpi',
    success: false,
    error: 'errors.decryption.failed',
    code: 197,
    description: 'no',
  })
  await pass()
  expect(bank.events).toEqual(['mpi:open popup', 'mpi:close completed', 'mpi:blocked'])
  document.querySelector<HTMLElement>('dialog button')?.click()
  await pass()
  bank.tell(PASSED)
  await pass()
  expect(bank.events.slice(3)).toEqual(['mpi:open popup', 'mpi:close completed', 'payment:success'])
  expect(new Set(bank.posts.map(({ fields }) => fields.mpi_nonce)).size).toBe(2)
  expect(payments()).toHaveLength(1)
})

test('after a success without a readable reference the library requests the result from the service', async () => {
  payAtBank(bank)
  await pass()
  bank.status = { ...PASSED, status: 'done' }
  bank.tell({ event: 'mpi', success: true })
  await pass()
  expect(lookups()).toMatchObject([
    { url: `https://pay.test/v1/mpi_js/${bank.nonce()}?merchant_id=1` },
  ])
  expect(payments()[0]?.fields).toMatchObject({ ref: 'm-1' })
})

test('a service without a valid answer is reported as mpi.protocol, and nothing is sent', async () => {
  payAtBank(bank)
  await pass()
  bank.status = { event: 'mpi', status: 'done', success: true, mpi_ref: null }
  bank.tell({ event: 'mpi', success: true })
  await pass()
  expect(bank.events.at(-1)).toBe('payment:fail mpi.protocol')
  expect(payments()).toEqual([])
})

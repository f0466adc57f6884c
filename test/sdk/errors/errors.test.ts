import jQuery from 'jquery'
import { expect, test, vi } from 'vitest'
import { createMondido } from '../../../sdk/index.ts'
import type { FaultCode, MondidoError, MondidoOptions } from '../../../sdk/types.ts'
import type { NetworkFault } from '../helpers/gateway.ts'
import { createKeyPair } from '../helpers/keys.ts'
import { failure, forbidByPolicy, installLibrary, payableForm } from '../helpers/shop.ts'
import { useStage } from '../helpers/stage.ts'

const stage = useStage()

interface Case {
  outcome: MondidoError['outcome']
  category: MondidoError['category']
  retryable?: true
  /** Prepares the page before its form exists. */
  arrange?: () => void
  options?: MondidoOptions
  form?: Parameters<typeof payableForm>[1]
}

/** Codes that are thrown or written to the console, because no form can fire an event. */
type Thrown = 'form.not_a_form' | `integration.${'no_jquery' | 'not_jquery' | 'jquery_too_old'}`

const misuse = (details: Omit<Case, 'outcome' | 'category'>): Case => ({
  outcome: 'not_sent',
  category: 'integration',
  ...details,
})
const wrongInput = (details: Omit<Case, 'outcome' | 'category'>): Case => ({
  outcome: 'not_sent',
  category: 'validation',
  retryable: true,
  ...details,
})
const breaks = (fault: NetworkFault) => () => {
  stage.gateway.breakNext(fault)
  stage.gateway.breakLookups()
}
const onceSending = (run: () => unknown) =>
  jQuery(document).on('payment:state', (_event, { to }) => {
    if (to === 'sending') queueMicrotask(() => void run())
  })
const forbid = () => forbidByPolicy('connect-src', 'http://gateway.test/v1/transactions')

/** Error codes of 3-D Secure, which test/sdk/three-d-secure tests. */
type OfTheBank = Extract<FaultCode, `mpi.${string}`>

const CASES: Readonly<Record<Exclude<FaultCode, Thrown | OfTheBank>, Case>> = {
  'integration.before': misuse({
    retryable: true,
    arrange: () => jQuery(document).on('payment:before', () => Promise.reject(new Error('no'))),
  }),
  'integration.payment_method': misuse({ form: { fields: { payment_method: 'invoice' } } }),
  'form.no_encrypted_fields': misuse({ options: { attributes: ['data-other'] } }),
  'form.unnamed_field': misuse({ form: { extra: '<input data-encrypt-attribute>' } }),
  'form.unreadable_field': misuse({
    form: { extra: '<x-card data-encrypt-attribute="card_holder"></x-card>' },
  }),
  'form.clear_card_data': misuse({
    options: { attributes: ['data-other'] },
    form: {
      fields: { test: 'false', card_number: '4111 1111 1111 1111' },
      extra: '<input data-other="card_cvv">',
    },
  }),
  'form.duplicate_field': misuse({
    form: { extra: '<input data-encrypt-attribute="card_number" value="4">' },
  }),
  'form.file_input': misuse({ form: { extra: '<input type="file" name="f">' } }),
  'config.public_key_missing': misuse({ arrange: () => installLibrary() }),
  'config.public_key_invalid': misuse({ options: { publicKey: 'no key' } }),
  'config.public_key_weak': misuse({ options: { publicKey: createKeyPair(1024).publicKey } }),
  'config.option_invalid': misuse({ options: { type: 'AJAX' as 'ajax' } }),
  'config.insecure_context': misuse({
    arrange: () => vi.stubGlobal('isSecureContext', false),
    form: { fields: { test: 'false' } },
  }),
  'config.merchant_missing': misuse({
    arrange: () => jQuery.mondido.configure({ ...stage.gateway.config, merchantId: '2' }),
    form: { fields: { merchant_id: '' } },
  }),
  'config.merchant_mismatch': misuse({ form: { fields: { merchant_id: '2' } } }),
  'config.url_invalid': misuse({ options: { url: 'mailto:shop@shop.test' } }),
  'validation.native': wrongInput({ form: { extra: '<input required>' } }),
  'validation.card_number': wrongInput({
    options: { validate: 'card' },
    form: { card: { card_number: '4' } },
  }),
  'validation.expiry': wrongInput({
    options: { validate: 'card' },
    form: { card: { card_expiry: '0101' } },
  }),
  'validation.cvv': wrongInput({
    options: { validate: 'card' },
    form: { card: { card_cvv: '2' } },
  }),
  'validation.holder': wrongInput({
    options: { validate: 'card' },
    form: { fields: { card_holder: '' } },
  }),
  'field.too_long': wrongInput({ form: { card: { card_number: 'x'.repeat(184) } } }),
  'crypto.unavailable': {
    outcome: 'not_sent',
    category: 'crypto',
    arrange: () => vi.stubGlobal('crypto', undefined),
  },
  'crypto.failed': {
    outcome: 'not_sent',
    category: 'crypto',
    arrange: () => vi.stubGlobal('TextEncoder', undefined),
  },
  'api.pending': { outcome: 'pending', category: 'api', arrange: breaks({ status: 'pending' }) },
  'network.offline': {
    outcome: 'not_sent',
    category: 'network',
    retryable: true,
    arrange: () => {
      breaks('lost request')()
      vi.spyOn(performance, 'now').mockReturnValue(0)
      vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    },
  },
  'network.csp': {
    outcome: 'unknown',
    category: 'network',
    arrange: () => {
      breaks('lost request')()
      onceSending(forbid)
    },
  },
  'network.blocked': {
    outcome: 'unknown',
    category: 'network',
    arrange: () => {
      breaks('lost request')()
      vi.spyOn(performance, 'now').mockReturnValue(0)
    },
  },
  'network.timeout': {
    outcome: 'unknown',
    category: 'network',
    options: { timeouts: { request: 100 } },
    arrange: breaks('silence'),
  },
  'network.aborted': {
    outcome: 'unknown',
    category: 'network',
    arrange: () => {
      breaks('silence')()
      onceSending(async () => {
        await stage.gateway.arrival()
        jQuery('#pay').mondido('abort')
      })
    },
  },
  'network.unreachable': {
    outcome: 'unknown',
    category: 'network',
    arrange: breaks('unavailable'),
  },
  'api.malformed': { outcome: 'unknown', category: 'api', arrange: breaks('garbage') },
  internal: {
    outcome: 'unknown',
    category: 'internal',
    arrange: () => vi.stubGlobal('URLSearchParams', undefined),
  },
}

test.for(Object.entries(CASES))(
  '%s',
  async ([code, { arrange, options, form, outcome, category, retryable }]) => {
    arrange?.()
    const timeouts = { statusRetry: 1, ...options?.timeouts }
    const payable = payableForm(
      { url: 'http://gateway.test/v1/transactions', ...options, timeouts },
      form,
    )
    const end = failure(payable)
    jQuery(payable).mondido('submit')
    const error = await end
    jQuery(document).off('payment:before payment:state')
    expect(error).toMatchObject({
      code,
      name: code,
      category,
      outcome,
      retryable: retryable === true,
    })
    expect(error.description).toBe(error.message)
    expect(error.message).toMatch(/\w{3}/)
    if (category !== 'integration') return
    const explained = new RegExp(
      `^mondido\\.js: ${code}[\\w.]*: [^{}]* http.*#library-[\\w.]+$`,
      'm',
    )
    await vi.waitFor(
      () => expect([...stage.warnings, ...stage.errors].flat().join('\n')).toMatch(explained),
      60_000,
    )
  },
)

test('mistakes of the payer are not explained on the console', async () => {
  const payable = payableForm({ validate: 'card' }, { card: { card_number: '4' } })
  const end = failure(payable)
  jQuery(payable).mondido('submit')
  await end
  expect(stage.errors).toEqual([])
})

test('mounting an element that is not a form, or none, throws form.not_a_form', () => {
  const refusal = expect.objectContaining({ code: 'form.not_a_form' })
  expect(() => jQuery('<div>').mondido()).toThrow(refusal)
  expect(() => createMondido(null as never)).toThrow(refusal)
})

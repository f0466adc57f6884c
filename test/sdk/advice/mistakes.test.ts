import jQuery from 'jquery'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { CREATE_TRANSACTION_FIELDS } from '../../../mock-gateway/parsing/create-transaction.ts'
import { describe as describeAdvice } from '../../../sdk/advice/advice-file.ts'
import { examine } from '../../../sdk/advice/form-diagnosis.ts'
import { PARAMETERS } from '../../../sdk/advice/words.ts'
import { reportFault } from '../../../sdk/errors/faults.ts'
import { takeSnapshot } from '../../../sdk/form/snapshot.ts'
import { findJQuery } from '../../../sdk/jquery/find.ts'
import { createDefaults, resolveSettings } from '../../../sdk/settings/options.ts'
import { LIBRARY_ADVICE } from '../../../sdk/shared/advice-texts.ts'
import type { MondidoOptions } from '../../../sdk/types.ts'
import { addForm, CARD_NUMBER, installLibrary, payableForm, press } from '../helpers/shop.ts'
import { useStage } from '../helpers/stage.ts'

const stage = useStage()
beforeEach(() => {
  vi.spyOn(HTMLFormElement.prototype, 'submit').mockReturnValue()
  vi.stubGlobal('jQuery', jQuery)
})

type Form = NonNullable<Parameters<typeof addForm>[0]>

/** Pays with a form or options that have a mistake. */
const pay = (form: Form, options: object = {}) =>
  press(payableForm({ mpi: false, ...options } as MondidoOptions, form))
const field = (name: string, value: string, more = '') =>
  `<input name="${name}" value="${value}" ${more}>`
const marked = (name: string, value = '') =>
  `<input data-encrypt-attribute="${name}" value="${value}">`
const without = (name: string, form: Form = {}, options: object = {}) => {
  const payable = payableForm({ mpi: false, ...options }, form)
  payable.querySelector(`[name="${name}"], [data-encrypt-attribute="${name}"]`)?.remove()
  press(payable)
}
const handled = (event: string) => {
  const form = payableForm({ mpi: false })
  jQuery(form).on(event, () => undefined)
  press(form)
}
/** Presses a form whose submit event a handler prevents, as the framework of its attributes does. */
const pressPrevented = (attributes: string) => {
  const form = payableForm({ mpi: false }, { attributes })
  jQuery(form).on('submit', () => false)
  press(form)
}
const page = (globals: object) =>
  findJQuery(
    Object.assign(new EventTarget(), {
      document: Object.assign(new EventTarget(), { readyState: 'complete' }),
      ...globals,
    }) as never,
    () => undefined,
    reportFault,
  )

/**
 * Typical mistakes, with the code of the message and words of the fix. The table of errors has
 * further ones.
 */
const MISTAKES: readonly [mistake: string, code: string, says: string, make: () => unknown][] = [
  // The page
  [
    'the id of the form is wrong',
    'page.empty_set',
    'Forms of this page: #pay.',
    () => {
      addForm()
      jQuery('#payment').mondido()
    },
  ],
  [
    'a command for a form that was never taken over',
    'page.not_mounted',
    'command submit',
    () => jQuery(addForm()).mondido('submit'),
  ],
  [
    'an element around the form',
    'form.not_a_form',
    'on <div>',
    () => expect(() => jQuery('<div>').mondido()).toThrow('form.not_a_form'),
  ],
  [
    'the script for two merchants',
    'page.two_merchants',
    'merchant 1 and again for 2',
    () => jQuery.mondido.configure({ ...stage.gateway.config, merchantId: '2' }),
  ],
  [
    'two elements with the id of the form',
    'doctor.same_id',
    'the id pay',
    () => {
      const form = payableForm({ mpi: false })
      document.body.append(Object.assign(document.createElement('p'), { id: 'pay' }))
      press(form)
    },
  ],
  ['Zepto', 'integration.not_jquery', 'Zepto', () => page({ Zepto: { fn: {} } })],
  // Options, commands, events
  [
    "type: 'AJAX'",
    'config.option_invalid',
    'Allowed values: ajax or form.',
    () => pay({}, { type: 'AJAX' }),
  ],
  [
    'bad JSON in an attribute',
    'config.option_invalid',
    'an object with values in milliseconds',
    () => pay({ attributes: 'data-mondido-timeouts="{request: 5}"' }),
  ],
  [
    'an unknown option',
    'option.unknown',
    'Did you mean merchantId?',
    () => pay({}, { merchandId: '1' }),
  ],
  [
    'an unknown attribute',
    'doctor.attribute',
    'Did you mean data-mondido-mpi-open?',
    () => pay({ attributes: 'data-mondido-mpiopen="lazy"' }),
  ],
  [
    'an unknown command',
    'command.unknown',
    'Did you mean submit?',
    () => expect(() => jQuery(addForm()).mondido('sumbit' as 'submit')).toThrow('command.unknown'),
  ],
  [
    'a handler of payment.success',
    'doctor.event',
    'payment.success is not an event of the library, so its handler is never called. Use an event from the table of events. Did you mean payment:success?',
    () => handled('payment.success'),
  ],
  [
    'options that change during a payment',
    'page.busy',
    'before the payer',
    () => {
      const form = payableForm({ mpi: false })
      press(form)
      jQuery(form).mondido('option', { type: 'form' })
    },
  ],
  // Handlers
  [
    'a submit that is always prevented',
    'page.submit_prevented',
    'A listener of the page prevented the submit event of a valid form, so nothing was paid. Do not prevent submit. Use payment:before',
    () => {
      const form = payableForm({ mpi: false })
      jQuery(form).on('submit', (event) => event.preventDefault())
      press(form)
    },
  ],
  [
    'a form of Angular',
    'page.submit_prevented',
    'Angular’s FormsModule prevented the submit event of a valid form, so nothing was paid. Add ngNoForm',
    () => pressPrevented('class="ng-untouched ng-valid"'),
  ],
  [
    'a form of Knockout',
    'page.submit_prevented',
    'Knockout’s binding submit prevented the submit event of a valid form, so nothing was paid. Return true',
    () => pressPrevented('data-bind="submit: pay"'),
  ],
  [
    'a form of Stimulus',
    'page.submit_prevented',
    'Stimulus prevented the submit event of a valid form, so nothing was paid. Remove :prevent',
    () => pressPrevented('data-action="submit->pay#start:prevent"'),
  ],
  [
    'a payment:before that always returns false',
    'page.payment_prevented',
    'Return nothing',
    () => {
      const form = payableForm({ mpi: false })
      jQuery(form).on('payment:before', () => false)
      for (const _time of [1, 2]) press(form)
    },
  ],
  [
    'a payment:before that throws',
    'integration.before.handler',
    'Catch errors',
    () => {
      const form = payableForm({ mpi: false })
      jQuery(form).on('payment:before', () => {
        throw new Error('oh')
      })
      press(form)
    },
  ],
  [
    'a success handler that throws',
    'page.handler_failed',
    'A handler of payment:success',
    () => {
      pay(
        {},
        {
          success: () => {
            throw new Error('oh')
          },
        },
      )
    },
  ],
  [
    'a check that returns no list',
    'integration.before.check_result',
    'return an empty list',
    () => pay({}, { validate: () => true }),
  ],
  // The mark-up of the card
  [
    'cardnumber in place of card_number',
    'doctor.mark',
    'cardnumber is not a parameter that can be encrypted. Use the name of an encrypted parameter in data-encrypt-attribute. Did you mean card_number?',
    () => without('card_number', { extra: marked('cardnumber', CARD_NUMBER) }),
  ],
  [
    'a card input with a name',
    'doctor.named_secret',
    'Remove the name',
    () => pay({ extra: '<input name="h" data-encrypt-attribute="card_holder" value="Kim">' }),
  ],
  ['a card input without autofill', 'doctor.autocomplete', 'cc-number', () => pay({})],
  // The order
  ['no hash', 'doctor.missing', 'The form has no hash.', () => without('hash')],
  [
    'a name that is nearly right',
    'doctor.field',
    'paymentref is not a parameter of a payment, and payment_ref is missing.',
    () => without('payment_ref', { extra: field('paymentref', 'A1') }),
  ],
  [
    'a long payment_ref',
    'doctor.payment_ref',
    'at most 12',
    () => pay({ fields: { payment_ref: 'order-2026-000001' } }),
  ],
  ['an amount without decimals', 'doctor.amount', '10.00', () => pay({ fields: { amount: '10' } })],
  [
    'the secret in the page',
    'doctor.secret',
    'on the server',
    () => pay({ extra: field('s', '$2a$10$abcdefghijklmnopqrstuv', 'type="hidden"') }),
  ],
  [
    'a wrong hash',
    'api.refused',
    'hash must be the MD5 of "1',
    () => pay({ fields: { hash: 'wrong' } }),
  ],
  // The address of the payment
  [
    'ajax with the address of the form',
    'doctor.form_address',
    '/v1/transactions',
    () => pay({ attributes: 'action="http://gateway.test/v1/form"' }),
  ],
  [
    'an action at the shop',
    'api.malformed',
    'answered with HTTP status 200 and no transaction. This address does not create transactions',
    () => {
      stage.gateway.breakNext('garbage')
      stage.gateway.breakLookups()
      pay({}, { timeouts: { statusRetry: 1 } })
    },
  ],
  [
    'an address without a server',
    'network.blocked',
    'Check that the gateway runs',
    () => {
      stage.gateway.breakNext('lost request')
      // The clock stands still, so that the request fails immediately even on a busy machine.
      vi.spyOn(performance, 'now').mockReturnValue(0)
      pay({}, { timeouts: { statusRetry: 1 } })
    },
  ],
  [
    'no button that submits',
    'doctor.no_button',
    'type="button"',
    () => {
      const form = payableForm({ mpi: false }, { extra: '<button type="button">Pay</button>' })
      form.querySelector('button:not([type])')?.remove()
      jQuery(form).mondido('submit')
    },
  ],
]

describe('the browser’s console shows the problem, the fix, and a link for this mistake:', () => {
  test.for(MISTAKES)('%s', async ([, code, says, make]) => {
    await make()
    const told = () => [...stage.warnings, ...stage.errors].map(([text]) => String(text))
    const ours = () => told().filter((text) => text.startsWith(`mondido.js: ${code}: `))
    await vi.waitFor(() => expect(ours()).toContainEqual(expect.stringContaining(says)), 60_000)
    for (const text of ours()) {
      expect(text).toMatch(/[.?'"] http.*#(library-[\w.]+|error-\d+)$|&test=true http.*#error-107$/)
      expect(text).not.toMatch(/\{\w+\}|undefined/)
      const [, anchor = ''] = /#library-(.*)$/.exec(text) ?? []
      if (anchor) expect(Object.keys(LIBRARY_ADVICE)).toContain(anchor)
    }
    expect(told().join()).not.toMatch(/4111|4539/)
  })
})

/** Fields that the library itself sends. */
const OWN = ['mondido_attempt', 'ref', 'eci', 'provider_ref']

test('parameters that the gateway reads are never reported as mistakes', () =>
  expect(CREATE_TRANSACTION_FIELDS.filter((name) => !PARAMETERS.includes(name))).toEqual(OWN))

test('a field that payment:before fills in is not reported as missing', async () => {
  const form = payableForm({ mpi: false })
  form.querySelector('[name=hash]')?.remove()
  jQuery(form).on('payment:before', () => void jQuery(form).append(field('hash', 'a'.repeat(32))))
  press(form)
  // The form has another mistake, which shows when the form has been checked.
  await vi.waitFor(() => expect(stage.warnings.join()).toContain('doctor.autocomplete'), 60_000)
  expect(stage.warnings.join()).not.toContain('doctor.missing')
})

function findings(html: string, attributes = ''): string[] {
  document.body.innerHTML = `<form ${attributes}>${html}</form>`
  const form = document.querySelector('form') as HTMLFormElement
  const settings = resolveSettings(form, {}, createDefaults())
  return examine(form, settings, takeSnapshot(form, settings)).map(([code, facts]) =>
    describeAdvice(code, facts),
  )
}

const HEALTHY = `<input name="amount" value="10.00"><input name="payment_ref" value="order-1">
  <input name="currency" value="sek"><input name="hash" value="abc"><input name="success_url" value="https://shop.test/">
  <input name="error_url" value="https://shop.test/">
  <input data-encrypt-attribute="card_number" autocomplete="cc-number">`

test.for(['', 'id="pay"'])('a healthy page has no findings (%s)', (attributes) =>
  expect(findings(HEALTHY, attributes)).toEqual([]),
)

test.for<[string, string, string?]>([
  ['Remove the name', '<input name="n" data-encrypt-attribute="card_cvv" autocomplete="cc-csc">'],
  ['autocomplete', '<input data-encrypt-attribute="card_cvv">'],
  [
    'secret of the merchant',
    '<input type="hidden" name="s" value="$2a$10$abcdefghijklmnopqrstuv">',
  ],
  ['payment_ref', '<input name="payment_ref" value="order-1234567">'],
  ['amount', '<input name="amount" value="10">'],
  ['type to ajax', '', 'action="https://api.test/v1/transactions"'],
])('the check reports: %s', ([finding, html, attributes]) => {
  expect(findings(HEALTHY + html, attributes)).toEqual([expect.stringContaining(finding)])
})

test('the check reports a page without https', () => {
  vi.stubGlobal('isSecureContext', false)
  expect(findings(HEALTHY)).toEqual([expect.stringContaining('https')])
})

test('the check never prints a value of a field', () => {
  expect(findings('<input name="card_number" value="4111111111111111">').join()).not.toContain(
    '4111',
  )
})

test.for<[string, object, object, boolean]>([
  ['for a test payment', {}, {}, true],
  ['on localhost', { test: 'false' }, {}, true],
  ['not with debug: false', {}, { debug: false }, false],
])(
  'the browser’s console shows the report %s once for each form',
  ([, fields, options, isHeard]) => {
    const form = payableForm(options, { fields: { amount: '10', ...fields } })
    jQuery(form).on('payment:before', () => false)
    press(form)
    press(form)
    const heard = stage.warnings.filter(([text]) => String(text).includes('amount'))
    expect(heard).toHaveLength(isHeard ? 1 : 0)
  },
)

test('a live page is not checked if its host is not a test host', () => {
  vi.stubGlobal('location', { hostname: 'shop.example', protocol: 'https:' })
  installLibrary(stage.gateway.config)
  const form = addForm({ fields: { amount: '10', test: 'false' } })
  jQuery(form)
    .mondido()
    .on('payment:before', () => false)
  press(form)
  expect(stage.warnings).toEqual([])
})

import jQuery from 'jquery'
import { expect, test, vi } from 'vitest'
import { describe } from '../../../sdk/advice/advice-file.ts'
import { examine } from '../../../sdk/advice/form-diagnosis.ts'
import { takeSnapshot } from '../../../sdk/form/snapshot.ts'
import { createDefaults, resolveSettings } from '../../../sdk/settings/options.ts'
import { addForm, installLibrary, payableForm, press } from '../helpers/shop.ts'
import { useStage } from '../helpers/stage.ts'

const stage = useStage()

function findings(html: string, attributes = ''): string[] {
  document.body.innerHTML = `<form ${attributes}>${html}</form>`
  const form = document.querySelector('form') as HTMLFormElement
  const settings = resolveSettings(form, {}, createDefaults())
  return examine(form, settings, takeSnapshot(form, settings)).map(([code, facts]) =>
    describe(code, facts),
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

import jQuery from 'jquery'
import jQuery3 from 'jquery-3'
import { describe, expect, test, vi } from 'vitest'
import { install } from '../../../sdk/jquery/plugin.ts'
import { createLibrary } from '../../../sdk/library.ts'
import {
  addForm,
  ending,
  failure,
  installLibrary,
  loadAdviser,
  payableForm,
  press,
} from '../helpers/shop.ts'
import { useStage } from '../helpers/stage.ts'

const stage = useStage()
const $3 = jQuery3 as unknown as JQueryStatic

describe('an empty set', () => {
  test('does nothing, with a warning', () => {
    expect(jQuery('#nowhere').mondido().length).toBe(0)
    // The message has words if the texts have been loaded, otherwise only its code.
    expect(stage.warnings).toEqual([[expect.stringMatching(/empty[ _]set/)]])
  })
  test('returns the state of a form that was never mounted', () => {
    const $empty = jQuery('#nowhere')
    expect([$empty.mondido('state'), $empty.mondido('abort'), $empty.mondido('instance')]).toEqual([
      'idle',
      null,
      undefined,
    ])
  })
})

test('several forms are mounted together', () => {
  addForm({ id: 'one' })
  addForm({ id: 'two' })
  jQuery('form').mondido({ type: 'ajax' })
  expect(jQuery('#two').mondido('instance')?.form.id).toBe('two')
})

test('a second call binds no second handler and changes options', async () => {
  const form = payableForm()
  const heard = vi.fn()
  jQuery(form).mondido({ busyClass: 'mine' }).on('payment:success', heard)
  const end = ending(form)
  press(form)
  expect(form.className).toBe('mine')
  await end
  expect([heard.mock.calls.length, stage.gateway.payments.length]).toEqual([1, 1])
})

test('an unknown command is an error', () => {
  expect(() => jQuery(payableForm()).mondido('pay' as 'submit')).toThrow(TypeError)
})

test.for([
  ['submit', [[expect.stringMatching(/not[ _]mounted/)]]],
  ['destroy', []],
] as const)(
  'the command %s warns, except destroy, if the form is not mounted',
  ([command, warnings]) => {
    jQuery(addForm()).mondido(command)
    expect(stage.warnings).toEqual(warnings)
  },
)

test('unknown options are reported', () => {
  jQuery(addForm()).mondido({ sucess: () => undefined } as object)
  expect(stage.warnings).toEqual([[expect.stringContaining('sucess')]])
})

test('the defaults of all forms can be changed', async () => {
  jQuery.mondido.defaults.type = 'ajax'
  const form = addForm()
  jQuery(form).mondido()
  const end = ending(form)
  press(form)
  expect(await end).toMatchObject({ transaction: { status: 'approved' } })
})

describe('two jQuerys on a page', () => {
  test('both get the events of the payment, once each', async () => {
    const library = installLibrary(stage.gateway.config)
    $3.mondido?.noConflict()
    install($3, library)
    const form = addForm()
    const heard: string[] = []
    jQuery(form)
      .mondido({ type: 'ajax' })
      .on('payment:success', () => void heard.push('4'))
    $3(form)
      .mondido()
      .on('payment:success', () => void heard.push('3'))
    const end = ending(form)
    press(form)
    await end
    expect(heard).toEqual(['4', '3'])
    expect(stage.gateway.payments).toHaveLength(1)
  })
})

describe('installing', () => {
  test('a second copy of the library passes its merchant to the first', async () => {
    const copy = createLibrary(loadAdviser)
    copy.configure({ ...stage.gateway.config, merchantId: '2' })
    const first = jQuery.mondido
    install(jQuery, copy)
    expect(jQuery.mondido).toBe(first)
    await vi.waitFor(
      () =>
        expect(stage.warnings).toEqual([[expect.stringContaining('merchant 1 and again for 2')]]),
      60_000,
    )
    const end = failure(payableForm({}, { fields: { merchant_id: '3' } }))
    jQuery('form').mondido('submit')
    expect(await end).toMatchObject({ code: 'config.merchant_mismatch' })
  })

  test('noConflict restores both names', () => {
    const mine = { version: '1.0.0' }
    const plugin = () => 'mine'
    jQuery.mondido.noConflict()
    Object.assign(jQuery, { mondido: mine })
    Object.assign(jQuery.fn, { mondido: plugin })
    install(jQuery, createLibrary(loadAdviser))
    const ours = jQuery.mondido
    expect(ours.noConflict()).toBe(ours)
    expect([jQuery.mondido, jQuery.fn.mondido]).toEqual([mine, plugin])
    Object.assign(jQuery, { mondido: undefined })
    Object.assign(jQuery.fn, { mondido: undefined })
  })

  test.for<[string, unknown, string]>([
    ['Zepto', { fn: {} }, 'integration.not_jquery'],
    ['a function named $', () => undefined, 'integration.not_jquery'],
    ['nothing', undefined, 'integration.not_jquery'],
    ['jQuery 1.10', { fn: { jquery: '1.10.2' } }, 'integration.jquery_too_old'],
    ['jQuery 0.9', { fn: { jquery: '0.9' } }, 'integration.jquery_too_old'],
  ])('%s is refused', ([, candidate, code]) => {
    expect(() => install(candidate as JQueryStatic, createLibrary(loadAdviser))).toThrow(
      expect.objectContaining({ code }),
    )
  })
})

test('the tools require a key without a script, or if two scripts have different keys', () => {
  installLibrary()
  expect(() => jQuery.mondido.encrypt('x')).toThrow(
    expect.objectContaining({ code: 'config.public_key_missing' }),
  )
  jQuery.mondido.configure(stage.gateway.config)
  expect(stage.gateway.decrypt(jQuery.mondido.encrypt('x'))).toBe('x')
  jQuery.mondido.configure({ ...stage.gateway.config, merchantId: '2' })
  expect(() => jQuery.mondido.maxBytes()).toThrow(
    expect.objectContaining({ code: 'config.public_key_missing' }),
  )
})

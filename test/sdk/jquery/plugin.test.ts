import jQuery from 'jquery'
import jQuery3 from 'jquery-3'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { findJQuery } from '../../../sdk/jquery/find.ts'
import { install } from '../../../sdk/jquery/plugin.ts'
import { createLibrary } from '../../../sdk/library.ts'
import {
  addForm,
  attemptPayment,
  ending,
  input,
  installLibrary,
  loadAdvice,
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

test('the defaults of all forms can be changed', async () => {
  jQuery.mondido.defaults.type = 'ajax'
  const form = addForm()
  jQuery(form).mondido()
  expect(await attemptPayment(form)).toMatchObject({ transaction: { status: 'approved' } })
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
    await attemptPayment(form)
    expect(heard).toEqual(['4', '3'])
    expect(stage.gateway.payments).toHaveLength(1)
  })
})

describe('installing', () => {
  test('noConflict restores both names', () => {
    const mine = { version: '1.0.0' }
    const plugin = () => 'mine'
    jQuery.mondido.noConflict()
    Object.assign(jQuery, { mondido: mine })
    Object.assign(jQuery.fn, { mondido: plugin })
    install(jQuery, createLibrary(loadAdvice))
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
    expect(() => install(candidate as JQueryStatic, createLibrary(loadAdvice))).toThrow(
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

describe('delegation', () => {
  let root: JQuery

  beforeEach(() => {
    document.body.innerHTML = '<main></main>'
    root = jQuery('main')
  })
  const add = (attributes: string, id = 'pay') => {
    const form = addForm({ attributes, id })
    root.append(form)
    return form
  }

  test('present and later forms pay on the first press', async () => {
    const early = add('class="pay"', 'early')
    root.mondido({ delegate: 'form.pay', type: 'ajax' })
    const late = add('class="pay"', 'late')
    const ends = Promise.all([ending(early), ending(late)])
    press(early)
    press(late)
    expect(await ends).toMatchObject([
      { transaction: { status: 'approved' } },
      { transaction: { status: 'approved' } },
    ])
    expect(stage.gateway.payments).toHaveLength(2)
  })

  test('other forms are not changed', () => {
    root.mondido({ delegate: 'form.pay', type: 'ajax' })
    const other = add('')
    other.addEventListener('submit', (event) => event.preventDefault())
    press(other)
    expect(jQuery(other).mondido('instance')).toBeUndefined()
  })

  test('a later form is formatted from the first key press on', () => {
    root.mondido({ delegate: 'form.pay', type: 'ajax', format: true })
    const form = add('class="pay"')
    const number = input(form, 'card_number')
    number.dispatchEvent(new FocusEvent('focusin', { bubbles: true }))
    expect(number.value).toBe('4111 1111 1111 1111')
  })

  test('a second call with the selector binds no second handler and changes options', async () => {
    const form = add('class="pay"')
    root
      .mondido({ delegate: 'form.pay', type: 'ajax' })
      .mondido({ delegate: 'form.pay', busyClass: 'mine' })
    const end = ending(form)
    press(form)
    expect(form.className).toBe('pay mine')
    await end
    expect(stage.gateway.payments).toHaveLength(1)
  })

  test('destroy releases all forms of the root and mounts no more', () => {
    const form = add('class="pay"')
    root.mondido({ delegate: 'form.pay', type: 'ajax' }).mondido('destroy')
    const late = add('class="pay"', 'late')
    for (const each of [form, late]) {
      each.addEventListener('submit', (event) => event.preventDefault())
      press(each)
      expect(jQuery(each).mondido('instance')).toBeUndefined()
    }
    expect(stage.gateway.payments).toEqual([])
  })

  test('an invalid selector is rejected, and changes nothing', () => {
    const form = add('')
    expect(() => root.mondido({ delegate: '[', type: 'ajax' })).toThrow(
      "'[' is not a valid selector",
    )
    form.dispatchEvent(new FocusEvent('focusin', { bubbles: true }))
    expect(root.mondido('destroy')).toBe(root)
  })
})

describe('the search for jQuery', () => {
  const jQueryNamed = (version: string) => ({ fn: { jquery: version } })

  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  /** Creates a page whose loading state and global names the test controls. */
  function openPage(globals: object = {}, readyState = 'loading') {
    const document = Object.assign(new EventTarget(), { readyState })
    const page = Object.assign(new EventTarget(), { document, ...globals })
    const found: unknown[] = []
    const failed: string[] = []
    findJQuery(
      page as never,
      (jq) => found.push(jq),
      ({ code }) => failed.push(code),
    )
    return {
      found,
      failed,
      set: (more: object) => Object.assign(page, more),
      load: () => document.dispatchEvent(new Event('load')),
      read() {
        document.readyState = 'interactive'
        document.dispatchEvent(new Event('DOMContentLoaded'))
      },
    }
  }

  test('a jQuery that is loaded already is found immediately', () => {
    const jQuery = jQueryNamed('4.0.0')
    expect(openPage({ jQuery })).toMatchObject({ found: [jQuery], failed: [] })
  })

  test('a jQuery that loads later is found, while the page is read or soon after', () => {
    for (const wait of [0, 9_000]) {
      const page = openPage()
      if (wait) page.read()
      vi.advanceTimersByTime(wait)
      page.set({ jQuery: jQueryNamed('3.7.1') })
      vi.advanceTimersByTime(50)
      expect(page.found).toHaveLength(1)
      page.read()
      vi.runAllTimers()
    }
  })

  test('a jQuery that replaces the first one is found too when the page is read', () => {
    const page = openPage({ jQuery: jQueryNamed('1.12.4') })
    page.set({ jQuery: jQueryNamed('4.0.0') })
    page.read()
    vi.runAllTimers()
    expect(page.found).toEqual([jQueryNamed('1.12.4'), jQueryNamed('4.0.0')])
  })

  test('a jQuery that a later script loads is found when that script has run', () => {
    const page = openPage({ jQuery: jQueryNamed('1.12.4') })
    page.read()
    vi.runAllTimers()
    page.set({ jQuery: jQueryNamed('4.0.0') })
    page.load()
    expect(page.found).toHaveLength(2)
  })

  test('ten seconds after the page was read the missing jQuery is reported once, and the search ends', () => {
    const page = openPage()
    vi.advanceTimersByTime(60_000)
    expect(page.failed).toEqual([])
    page.read()
    vi.advanceTimersByTime(9_900)
    expect(page.failed).toEqual([])
    vi.advanceTimersByTime(200)
    expect([page.failed, vi.getTimerCount()]).toEqual([['integration.no_jquery'], 0])
  })

  test.for<[string, object, string]>([
    ['Zepto', { Zepto: { fn: {} } }, 'integration.not_jquery'],
    ['another library named jQuery', { jQuery: () => undefined }, 'integration.not_jquery'],
    ['an old jQuery', { jQuery: jQueryNamed('1.8.3') }, 'integration.jquery_too_old'],
  ])('%s is reported immediately', ([, globals, code]) => {
    expect(openPage(globals, 'complete').failed).toEqual([code])
  })
})

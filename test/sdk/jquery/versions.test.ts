import jQuery4 from 'jquery'
import jQuery4Slim from 'jquery/slim'
import jQuery1 from 'jquery-1.12'
import jQuery2 from 'jquery-2.2'
import jQuery3 from 'jquery-3'
import jQuery3Slim from 'jquery-3/dist/jquery.slim.js'
import { describe, expect, test, vi } from 'vitest'
import {
  addForm,
  attemptPayment,
  CARD_NUMBER,
  ending,
  input,
  installLibrary,
  press,
} from '../helpers/shop.ts'
import { useStage } from '../helpers/stage.ts'

const stage = useStage()
const VERSIONS: [string, unknown][] = [
  ['1.12', jQuery1],
  ['2.2', jQuery2],
  ['3', jQuery3],
  ['3 slim', jQuery3Slim],
  ['4', jQuery4],
  ['4 slim', jQuery4Slim],
]

describe.for(VERSIONS)('jQuery %s', ([, candidate]) => {
  const $ = candidate as JQueryStatic
  const install = () => installLibrary(stage.gateway.config, $)

  test('pays with chained calls, and with handlers that were attached after the form was mounted', async () => {
    install()
    const form = addForm()
    const heard: unknown[] = []
    const $form = $(form)
      .mondido({ type: 'ajax' })
      .on(
        'payment:before',
        (event, { attempt }) => void heard.push(event.type, attempt === Object(event).attempt),
      )
      .on('payment:success', (event, { status }) => void heard.push(event.type, status))
    await attemptPayment(form)
    expect(heard).toEqual(['payment:before', true, 'payment:success', 'approved'])
    expect($form.mondido('instance')).toBe($(form).mondido('instance'))
    expect(stage.gateway.decrypt(stage.gateway.payments[0]?.fields.get('card_number'))).toBe(
      CARD_NUMBER,
    )
  })

  test('gets a failure with name, code and description', async () => {
    install()
    const form = addForm({ card: { card_cvv: '201' } })
    const failed = vi.fn()
    $(form)
      .mondido({ type: 'ajax' })
      .on('payment:fail', (_event, error) => failed(error))
    await attemptPayment(form)
    expect(failed.mock.calls).toMatchObject([
      [{ name: 'errors.payment.declined', code: 129, description: expect.any(String) }],
    ])
  })

  test.for<[string, () => unknown]>([
    ['false', () => false],
    ['a promise of false', () => Promise.resolve(false)],
  ])('%s from payment:before halts', async ([, handler]) => {
    install()
    const form = addForm()
    $(form).mondido({ type: 'ajax' }).on('payment:before', handler)
    press(form)
    await Promise.resolve()
    await vi.waitUntil(() => $(form).mondido('state') === 'idle', 60_000)
    expect(stage.gateway.payments).toEqual([])
  })

  test.for<[string, (form: HTMLFormElement) => unknown]>([
    ['trigger(submit)', (form) => $(form).trigger('submit')],
    ['the command submit', (form) => $(form).mondido('submit')],
    ['requestSubmit()', (form) => form.requestSubmit()],
  ])('pays once on %s', async ([, submit]) => {
    install()
    const native = vi.spyOn(HTMLFormElement.prototype, 'submit').mockReturnValue()
    const form = addForm()
    $(form).mondido({ type: 'ajax' })
    const end = ending(form)
    submit(form)
    await end
    expect(stage.gateway.payments).toHaveLength(1)
    expect(native).not.toHaveBeenCalled()
  })

  test('ignores a submit that is triggered on an input of the form', () => {
    install()
    const form = addForm()
    $(form).mondido({ type: 'ajax' })
    $(input(form, 'card_holder')).trigger('submit')
    expect($(form).mondido('state')).toBe('idle')
  })

  test("runs a page's own submit handler first if it was attached first", () => {
    install()
    const form = addForm()
    $(form)
      .on('submit', (event) => event.preventDefault())
      .mondido({ type: 'ajax' })
    press(form)
    $(form).trigger('submit')
    expect($(form).mondido('state')).toBe('idle')
  })

  test('removes the handlers of triggered submits with destroy', () => {
    install()
    const form = addForm()
    const native = vi.spyOn(HTMLFormElement.prototype, 'submit').mockReturnValue()
    $(form).mondido({ type: 'ajax' }).mondido('destroy')
    $(form).trigger('submit')
    expect(stage.gateway.payments).toEqual([])
    native.mockRestore()
  })

  test('mounts forms inside an element by selector, also later ones', async () => {
    install()
    $(document).mondido({ delegate: 'form.pay', type: 'ajax' })
    const form = addForm({ attributes: 'class="pay"' })
    const end = ending(form)
    $(form).trigger('submit')
    expect(await end).toMatchObject({ transaction: { status: 'approved' } })
    $(document as unknown as HTMLElement).mondido('destroy')
  })

  test('provides the tools without jQuery', () => {
    install()
    expect([$.mondido.maxBytes(), $.mondido.card.brand('4111')]).toEqual([183, 'visa'])
    expect(stage.gateway.decrypt($.mondido.encrypt('200'))).toBe('200')
  })
})

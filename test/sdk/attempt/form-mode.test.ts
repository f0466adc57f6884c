import jQuery from 'jquery'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { MondidoOptions } from '../../../sdk/types.ts'
import {
  addForm,
  CARD_NUMBER,
  ending,
  failPayment,
  failure,
  forbidByPolicy,
  input,
  press,
  thawPage,
} from '../helpers/shop.ts'
import { useStage } from '../helpers/stage.ts'

const stage = useStage()
let posted: {
  url: string | null
  target: string | null
  fields: Record<string, string>
  html: string
}[]

beforeEach(() => {
  posted = []
  vi.spyOn(HTMLFormElement.prototype, 'submit').mockImplementation(function (
    this: HTMLFormElement,
  ) {
    const inputs = [...this.querySelectorAll('input')].map(({ name, value }) => [name, value])
    posted.push({
      url: this.getAttribute('action'),
      target: this.getAttribute('target'),
      fields: Object.fromEntries(inputs),
      html: this.outerHTML,
    })
  })
})

test('a form of the library is posted to the hosted flow, with the card fields encrypted', () => {
  const form = addForm({
    fields: { success_url: 'https://shop.test/thanks', error_url: 'https://shop.test/sorry' },
  })
  jQuery(form).mondido()
  press(form)
  expect(posted).toHaveLength(1)
  const fields = posted[0]?.fields ?? {}
  expect(posted[0]?.url).toBe('http://gateway.test/v1/form')
  expect(fields).toMatchObject({ success_url: 'https://shop.test/thanks', merchant_id: '1' })
  expect(fields.encrypted).toBe('card_number,card_cvv,card_expiry')
  expect(stage.gateway.decrypt(fields.card_number)).toBe(CARD_NUMBER)
})

test('no plain card value is in the posted form, and the form does not stay on the page', () => {
  const form = addForm()
  jQuery(form).mondido()
  press(form)
  expect(posted[0]?.html).not.toContain(CARD_NUMBER)
  expect(document.querySelectorAll('form')).toHaveLength(1)
})

test.for<[string, string, string]>([
  [
    'the form’s action',
    'action="https://pay.test/v1/form?lang=en"',
    'https://pay.test/v1/form?lang=en',
  ],
  ['an action without a host', 'action="/pay"', 'http://localhost:3000/pay'],
  ['no action', '', 'http://gateway.test/v1/form'],
])('the form is posted to %s', ([, attributes, url]) => {
  const form = addForm({ attributes })
  jQuery(form).mondido()
  press(form)
  expect(posted[0]?.url).toBe(url)
})

test('the posted form has the target and the encoding of the page’s form', () => {
  const form = addForm({ attributes: 'target="bank" enctype="multipart/form-data"' })
  jQuery(form).mondido()
  press(form)
  expect(posted[0]).toMatchObject({
    target: 'bank',
    html: expect.stringContaining('multipart/form-data'),
  })
})

test('a chosen file is sent in a copy of its input', () => {
  const form = addForm({ extra: '<input type="file" name="receipt">' })
  jQuery(form).mondido()
  press(form)
  expect(Object.keys(posted[0]?.fields ?? {})).toContain('receipt')
})

test('a second submit while the browser leaves the page is not posted', () => {
  const form = addForm()
  jQuery(form).mondido()
  press(form)
  press(form)
  expect(posted).toHaveLength(1)
  expect(jQuery(form).mondido('state')).toBe('sending')
})

test('a value that is too long fails before anything is posted', async () => {
  const form = addForm()
  jQuery(form).mondido()
  input(form, 'card_number').value = 'x'.repeat(184)
  expect(await failPayment(form)).toMatchObject({ code: 'field.too_long', field: 'card_number' })
  expect(posted).toEqual([])
})

const forbid = () => void forbidByPolicy('form-action', 'http://gateway.test')
/** Sends the post of the library's form, which the emulated browser does not send. */
const arrive = () =>
  fetch('http://gateway.test/v1/transactions', {
    method: 'POST',
    body: new URLSearchParams(posted.at(-1)?.fields),
  })
const idle = (form: HTMLFormElement) =>
  vi.waitUntil(() => jQuery(form).mondido('state') === 'idle', 60_000)

const STANDING: [string, MondidoOptions['timeouts'], () => void][] = [
  ['a page the browser kept', {}, () => void thawPage()],
  ['a page whose policy forbade the redirect', {}, forbid],
  // The library itself requests the status after a while. The post must arrive before, also on a
  // busy machine.
  ['a page that stands after its post', { leave: 3_000, statusRetry: 100 }, () => undefined],
]

describe.for(STANDING)('on %s', ([, timeouts, happen]) => {
  test('a paid payment is reported', async () => {
    const form = addForm()
    jQuery(form).mondido({ timeouts: { statusRetry: 1, ...timeouts } })
    const end = ending(form)
    press(form)
    await arrive()
    happen()
    expect(await end).toMatchObject({ transaction: { status: 'approved' } })
  })

  test('a decline is reported, and the form can be submitted again', async () => {
    const form = addForm({ card: { card_cvv: '201' } })
    jQuery(form).mondido({ timeouts: { statusRetry: 1, ...timeouts } })
    const end = failure(form)
    press(form)
    await arrive()
    happen()
    expect(await end).toMatchObject({ code: 129, outcome: 'rejected' })
    press(form)
    expect(posted).toHaveLength(2)
  })
})

test.for([STANDING[0], STANDING[2]] as const)(
  '%s, the form is unlocked if the order is not paid',
  async (standing) => {
    const [, timeouts, happen] = standing as (typeof STANDING)[number]
    const form = addForm({ attributes: 'target="frame"' })
    jQuery(form).mondido({ timeouts: { statusRetry: 1, ...timeouts } })
    press(form)
    happen()
    await idle(form)
    expect(form.hasAttribute('aria-busy')).toBe(false)
    press(form)
    expect(posted).toHaveLength(2)
  },
)

test.for<['not_sent' | 'unknown', string]>([
  ['not_sent', 'knows no such attempt'],
  ['unknown', 'cannot be asked'],
])('a post that the policy of the page forbids is %s if the gateway %s', async ([outcome]) => {
  if (outcome === 'unknown') stage.gateway.breakLookups()
  const form = addForm()
  jQuery(form).mondido({ timeouts: { statusRetry: 1 } })
  const end = failure(form)
  press(form)
  forbid()
  expect(await end).toMatchObject({ code: 'network.csp', outcome })
})

test('the library sends status requests to the API, wherever the hosted flow is', async () => {
  jQuery.mondido.configure({ ...stage.gateway.config, payUrl: 'http://pay.test' })
  const form = addForm()
  jQuery(form).mondido({ timeouts: { statusRetry: 1 } })
  press(form)
  thawPage()
  await idle(form)
  expect(posted[0]?.url).toBe('http://pay.test/v1/form')
  expect(stage.gateway.lookups.map(({ origin }) => origin)).toContain('http://gateway.test')
})

test('a page that was not restored from the cache changes nothing', () => {
  const form = addForm()
  jQuery(form).mondido()
  press(form)
  window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: false }))
  expect(jQuery(form).mondido('state')).toBe('sending')
})

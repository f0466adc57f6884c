import jQuery from 'jquery'
import { beforeEach, expect, test, vi } from 'vitest'
import { addForm, CARD_NUMBER, failure, input, press } from '../helpers/shop.ts'
import { useStage } from '../helpers/stage.ts'

const stage = useStage()
let posted: { url: string | null; target: string | null; fields: Record<string, string>; html: string }[]

beforeEach(() => {
  posted = []
  vi.spyOn(HTMLFormElement.prototype, 'submit').mockImplementation(function (this: HTMLFormElement) {
    const inputs = [...this.querySelectorAll('input')].map(({ name, value }) => [name, value])
    posted.push({
      url: this.getAttribute('action'),
      target: this.getAttribute('target'),
      fields: Object.fromEntries(inputs),
      html: this.outerHTML,
    })
  })
})

test('a form of the library’s own is posted to the hosted flow, with the card fields encrypted', () => {
  const form = addForm({ fields: { success_url: 'https://shop.test/thanks', error_url: 'https://shop.test/sorry' } })
  jQuery(form).mondido()
  press(form)
  expect(posted).toHaveLength(1)
  const fields = posted[0]?.fields ?? {}
  expect(posted[0]?.url).toBe('http://gateway.test/v1/form')
  expect(fields).toMatchObject({ success_url: 'https://shop.test/thanks', merchant_id: '1' })
  expect(fields.encrypted).toBe('card_number,card_cvv,card_expiry')
  expect(stage.gateway.decrypt(fields.card_number)).toBe(CARD_NUMBER)
})

test('nothing clear of the card is in the posted form, and the form does not stay on the page', () => {
  const form = addForm()
  jQuery(form).mondido()
  press(form)
  expect(posted[0]?.html).not.toContain(CARD_NUMBER)
  expect(document.querySelectorAll('form')).toHaveLength(1)
})

test.for<[string, string, string]>([
  ['the form’s action', 'action="https://pay.test/v1/form?lang=en"', 'https://pay.test/v1/form?lang=en'],
  ['an action without a host', 'action="/pay"', 'http://localhost:3000/pay'],
  ['no action', '', 'http://gateway.test/v1/form'],
])('the post goes to %s', ([, attributes, url]) => {
  const form = addForm({ attributes })
  jQuery(form).mondido()
  press(form)
  expect(posted[0]?.url).toBe(url)
})

test('the post opens where the page’s form says, encoded as it says', () => {
  const form = addForm({ attributes: 'target="bank" enctype="multipart/form-data"' })
  jQuery(form).mondido()
  press(form)
  expect(posted[0]).toMatchObject({ target: 'bank', html: expect.stringContaining('multipart/form-data') })
})

test('a chosen file goes along in a copy of its input', () => {
  const form = addForm({ extra: '<input type="file" name="receipt">' })
  jQuery(form).mondido()
  press(form)
  expect(Object.keys(posted[0]?.fields ?? {})).toContain('receipt')
})

test('a second submit while the browser leaves is not posted', () => {
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
  const end = failure(form)
  press(form)
  expect(await end).toMatchObject({ code: 'field.too_long', field: 'card_number' })
  expect(posted).toEqual([])
})

test('coming back to a page the browser kept unlocks the form', () => {
  const form = addForm()
  jQuery(form).mondido()
  press(form)
  window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
  expect([jQuery(form).mondido('state'), form.hasAttribute('aria-busy')]).toEqual(['idle', false])
  press(form)
  expect(posted).toHaveLength(2)
})

test('a page that was not kept changes nothing', () => {
  const form = addForm()
  jQuery(form).mondido()
  press(form)
  window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: false }))
  expect(jQuery(form).mondido('state')).toBe('sending')
})

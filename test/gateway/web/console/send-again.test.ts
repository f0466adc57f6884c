import { expect, test } from 'vitest'
import { type Fields, payment } from '../../../helpers/gateway.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'
import { controlOf } from '../control/client.ts'
import { loggedIn, textOf } from './client.ts'

const HOSTILE = `"><img src=x onerror=alert(1)>`

const shop = await sharedGateway()
const client = await loggedIn(shop.gateway)

/** Sends a payment, and opens the form that sends its request again. */
async function formOf(fields: Fields) {
  const { headers } = await shop.post('/v1/transactions', payment(fields))
  const path = `/1/requests/${headers.get('x-request-id')}/again`
  const { html } = await client.get(path)
  return { path, html, filled: Object.fromEntries(fieldsOf(html)) }
}

const fieldsOf = (html: string) =>
  [...html.matchAll(/<input id="[^"]*" name="(field\[\w+\])" value="([^"]*)"/g)].map(
    ([, name = '', value = '']) => [name, value],
  )

/** Sends the form, and opens the page that it redirects to. */
async function sendForm(path: string, fields: Fields) {
  const { to } = await client.post(path, { hash_is: 'right', login: 'true', ...fields })
  const page = await client.get(to?.replace('/console', '') ?? '')
  return { to, html: page.html, text: textOf(page.html) }
}

test('a request is sent again unchanged, with a test card instead of the card that is not stored', async () => {
  const { path, filled } = await formOf({ payment_ref: 'again-1', card_cvv: '201' })
  expect(filled).toMatchObject({
    'field[payment_ref]': 'again-1',
    'field[card_number]': '4111111111111111',
    'field[card_cvv]': '200',
  })
  const { to, text } = await sendForm(path, filled)
  expect(to).toMatch(/^\/console\/1\/requests\/[0-9a-f-]{36}\?done=request_sent$/)
  expect(to).not.toContain(path.split('/')[3])
  expect(text).toContain('The request was sent. This page shows it')
  expect(text).toContain('"status": "approved"')
  expect(text).toContain('user-agent mondido-gateway console')
})

test('the user chooses the hash: calculated for the changed fields, wrong, or as in the form', async () => {
  const { path, filled } = await formOf({ payment_ref: 'again-2', hash: 'f'.repeat(32) })
  const changed = { ...filled, 'field[amount]': '12.50', 'field[payment_ref]': 'again-3' }
  expect((await sendForm(path, { ...changed, hash_is: 'wrong' })).text).toMatch(
    /errors\.hash\.invalid/,
  )
  expect((await sendForm(path, { ...changed, hash_is: 'kept' })).text).toContain(
    `hash ${'f'.repeat(32)}`,
  )
  const { text } = await sendForm(path, {
    ...changed,
    more: 'metadata[colour]=red\r\nlocale=en\r\n',
  })
  expect(text).toContain('"amount": "12.50"')
  expect(text).toContain('"colour": "red"')
})

test('a rejected form keeps the input except the card, and shows the error next to the field', async () => {
  const { path, filled } = await formOf({ payment_ref: 'again-6' })
  const typed = { ...filled, 'field[card_number]': '4539578763621486', 'field[amount]': HOSTILE }
  const { status, html } = await client.post(path, {
    ...typed,
    more: `nothing ${HOSTILE.replace('=', '')}`,
  })
  expect(status).toBe(400)
  expect(html).toMatch(/id="wrong-[^"]*more"[^>]*>more: write one field on each line/)
  expect(html).toContain('value="again-6"')
  expect(html).not.toContain('4539578763621486')
  expect(html).not.toContain('<img')
})

test('only calls of the API can be sent again, not calls of the control API, which has its own key', async () => {
  const { headers } = await controlOf(shop.gateway).post('/payments/next', {
    outcome: 'approved',
    merchant_id: 1,
  })
  expect((await client.get(`/1/requests/${headers.get('x-request-id')}/again`)).status).toBe(404)
})

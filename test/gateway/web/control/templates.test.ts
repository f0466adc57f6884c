import { expect, test } from 'vitest'
import { prepared, TEMPLATES } from '../../../helpers/gateway.ts'
import { asWritten } from '../../../helpers/own-page.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'
import { controlOf } from './client.ts'

const shop = await sharedGateway({ templates: TEMPLATES })

const FORM = '<form method="post" action="/"></form>'

const control = controlOf(shop.gateway)

test('a template is created, shown, changed, used and deleted', async () => {
  const made = await control.post('/templates', {
    name: 'mine',
    source: `<p>{{ transaction.amount }}</p>${FORM}`,
  })
  expect(made.status).toBe(200)
  expect(made.body).toMatchObject({
    id: 6,
    name: 'mine',
    kind: 'page',
    in_file: false,
    problems: [],
  })
  const { body } = await shop.post('/v1/transactions', prepared({ template_id: 6 }))
  const path = new URL(body.href).pathname
  const shown = async () => asWritten((await shop.browser.get<string>(path)).body)
  expect(await shown()).toMatch(/^<p>10.00<\/p><form/)
  expect(
    (await control.put('/templates/6', { source: '<b>{{ transaction.amount | raw }}</b>\n{{ a b' }))
      .body,
  ).toMatchObject({
    id: 6,
    problems: [
      { line: 1, message: expect.stringContaining('raw') },
      { line: 1, message: expect.stringContaining('no form') },
      { line: 2, message: '{{ appears on the page as text, because it has no matching }}' },
    ],
  })
  expect(await shown()).toBe('<b>10.00</b>\n{{ a b')
  expect((await control.get('/templates/6')).body.source).toBe(
    '<b>{{ transaction.amount | raw }}</b>\n{{ a b',
  )
  expect((await control.get<{ id: number }[]>('/templates')).body.map(({ id }) => id)).toEqual([
    1, 3, 4, 5, 6,
  ])
  expect((await control.delete('/templates/6')).status).toBe(200)
  expect((await control.get('/templates/6')).body).toMatchObject({ code: 103 })
  expect((await shop.browser.get(path)).body).toContain('Kortnummer')
})

test('a preview shows a page before it is saved, with a transaction or without', async () => {
  const { body } = await shop.post('/v1/transactions', prepared())
  const source = `<p>{{ transaction.payment_ref }}</p>${FORM}`
  const filled = await control.post('/templates/preview', { source, transaction_id: body.id })
  expect(filled.body).toEqual({
    html: expect.stringContaining(`<p>${body.payment_ref}</p>`),
    problems: [],
  })
  expect((await control.post('/templates/preview', { source })).body).toMatchObject({
    problems: [],
  })
  const broken = await control.post('/templates/preview', { template_id: 5 })
  expect(broken.body).toMatchObject({
    html: null,
    problems: expect.arrayContaining([
      { line: 1, message: expect.stringContaining('no such part') },
    ]),
  })
})

test('a template from a file can be changed only in the file', async () => {
  for (const answer of [
    await control.put('/templates/3', { source: 'x' }),
    await control.delete('/templates/3'),
  ]) {
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ code: 253 })
  }
})

import { expect, test } from 'vitest'
import { articleView, docsView, searchView } from '../../../../mock-gateway/web/docs/views.ts'
import { homeView } from '../../../../mock-gateway/web/home/home-view.ts'
import { unknownView } from '../../../../mock-gateway/web/home/unknown-page.ts'
import { html } from '../../../../mock-gateway/web/pages/html.ts'
import { expectEscaped, withMarkup } from '../../../helpers/markup.ts'

const addressOf = (path: string) => `/assets/${path}`

test('markup in every text of the home page is text', () => {
  const known = { id: 1, password: 'password', secret: 'secret' }
  const facts = {
    root: '',
    at: 'http://localhost:4400',
    addresses: { API: 'http://localhost:4400/v1' },
    database: 'SQLite',
    version: '1.0.0',
    paid: { id: 1, status: 'approved', isPaid: true, reason: undefined },
    order: { amount: '10.00' },
    samples: [{ language: 'curl', run: 'in a shell', code: 'curl' }],
    expiry: '1230',
    examples: 'http://localhost:4500',
  }
  const state = {
    ...{ merchant_id: null, clock: 'frozen' as const, now: '', merchant_clocks: 1, faults: 1 },
    ...{ next_payments: 0, next_captures: 0, held_webhooks: true, is_normal: false },
  }
  const rest = { known: withMarkup(known), now: 0, state, hasAdministrator: true, isLocal: true }
  expectEscaped(homeView(addressOf, { ...withMarkup(facts), ...rest }))
})

test('markup in every text of the page for unknown addresses is text', () => {
  expectEscaped(
    unknownView(addressOf, 'en', ...withMarkup<[string, string]>(['', 'errors.not_found'])),
  )
})

test('markup in every text of the documentation is text', () => {
  const call = { method: 'GET', path: '/v1', login: { user: '1', password: 'p' }, fields: 'a=b' }
  const page = { root: '/docs', at: '/docs/a', call }
  const contents = [{ level: '2', id: 'a', html: html`a` }]
  const article = articleView({ ...withMarkup(page), contents, body: html`a` })
  expectEscaped(article)
  const menus = [{ title: 'Guides', to: '/docs/a', entries: [{ text: 'A', to: '/docs/a' }] }]
  const frame = { root: '/docs', title: 'A', at: '/docs/a', query: 'a', menus }
  expectEscaped(docsView(addressOf, { ...withMarkup(frame), body: article }))
  expectEscaped(searchView(...withMarkup<[string, []]>(['a', []])))
  const hit = { to: '/docs/a', heading: 'A', page: 'A', excerpt: 'a' }
  expectEscaped(searchView('a', withMarkup([hit])))
  expect(String(searchView('', []))).toContain('Type a search text')
})

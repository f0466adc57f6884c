import { expect, test } from 'vitest'
import { renderArticle, renderDocs, searchView } from '../../../../mock-gateway/web/docs/views.ts'
import { renderHome } from '../../../../mock-gateway/web/home/home-view.ts'
import { renderUnknown } from '../../../../mock-gateway/web/home/unknown-page.ts'
import { expectEscaped, withMarkup } from '../../../helpers/markup.ts'

const addressOf = (path: string) => `/assets/${path}`

test('markup in every text of the home page is text', () => {
  const known = { id: 1, password: 'password', secret: 'secret' }
  const facts = {
    root: '',
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
  const rest = { known: withMarkup(known), state, now: 0, hasAdministrator: true, isLocal: true }
  expectEscaped(renderHome(addressOf, { ...withMarkup(facts), ...rest }))
})

test('markup in every text of the page for unknown addresses is text', () => {
  expectEscaped(
    renderUnknown(addressOf, 'en', ...withMarkup<[string, string]>(['', 'errors.not_found'])),
  )
})

test('markup in every text of the documentation is text', () => {
  const login = { user: '1', password: 'p' }
  const call = { method: 'GET', url: '/v1', login, fields: { a: 'b' } }
  const page = { root: '/docs', at: '/docs/a', call }
  const article = renderArticle({ ...withMarkup(page), body: '<h2 id="a">a</h2>' })
  expectEscaped(article)
  const guide = { path: 'a', title: 'A', group: 'Start', markdown: () => '' }
  const pages = new Map([['a', withMarkup(guide)]])
  expectEscaped(
    renderDocs(addressOf, { ...withMarkup({ root: '/docs' }), pages, page: guide, body: article }),
  )
  expectEscaped(searchView(...withMarkup<[string, string, []]>(['/docs', 'a', []])))
  const hit = { link: 'a', heading: 'A', page: 'A', excerpt: 'a' }
  expectEscaped(searchView('/docs', 'a', withMarkup([hit])))
  expect(String(searchView('/docs', '', []))).toContain('Type a search text')
})

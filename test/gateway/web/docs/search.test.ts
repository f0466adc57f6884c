import { expect, test } from 'vitest'
import { createSearch } from '../../../../mock-gateway/web/docs/search.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'

/** Typical questions, each with the guide that must be the first result. */
const QUESTIONS: readonly (readonly [question: string, page: string])[] = [
  ['rotate', 'how-to/rotate-a-secret'],
  ['how do I change my secret', 'how-to/rotate-a-secret'],
  ['upgrade', 'how-to/upgrade-from-1x'],
  ['migrate from 1.x', 'how-to/upgrade-from-1x'],
  ['react', 'start/react-and-vite'],
  ['vite', 'start/react-and-vite'],
  ['slow capture', 'reference/control'],
  ['first payment', 'start/first-payment'],
  ['getting started', 'start/first-payment'],
  ['checkout page', 'start/checkout-page'],
  ['vitest', 'start/test-that-pays'],
  ['test cards', 'reference/test-cards'],
  ['declined card', 'reference/test-cards'],
  ['3ds', 'explanation/three-d-secure'],
  ['3-d secure challenge', 'reference/test-cards'],
  ['verify webhook signature', 'how-to/verify-webhooks'],
  ['webhook php', 'how-to/verify-webhooks'],
  ['duplicate webhooks', 'explanation/webhooks-repeat'],
  ['webhook retries', 'reference/webhooks'],
  ['webhook localhost docker', 'how-to/test-webhooks'],
  ['stored card', 'how-to/stored-cards'],
  ['save a card', 'how-to/stored-cards'],
  ['subscriptions', 'how-to/subscriptions'],
  ['dunning', 'how-to/test-dunning'],
  ['iframe', 'how-to/payment-page-in-a-frame'],
  ['postgres', 'how-to/share-with-a-team'],
  ['docker', 'how-to/share-with-a-team'],
  ['github actions', 'how-to/ci'],
  ['playwright', 'how-to/test-in-a-browser'],
  ['woocommerce', 'how-to/plug-ins'],
  ['magento', 'how-to/plug-ins'],
  ['lost response', 'how-to/lose-an-answer'],
  ['timeout after reserved', 'how-to/lose-an-answer'],
  ['backup', 'how-to/back-up'],
  ['restore', 'how-to/back-up'],
  ['half refund', 'how-to/refund'],
  ['capture fails', 'how-to/capture'],
  ['charge a card next month', 'how-to/stored-cards'],
  ['ngrok', 'how-to/tunnel-or-proxy'],
  ['limits', 'explanation/how-the-real-service-differs'],
  ['swedish', 'reference/payment-page'],
  ['jest', 'reference/test-kit'],
  ['md5 hash wrong', 'explanation/hash'],
  ['time travel', 'reference/control'],
  ['fixtures', 'reference/control'],
  ['fraud rules', 'reference/rules'],
  ['liquid template variables', 'reference/templates'],
  ['port in use', 'how-to/problems'],
  ['typescript client', 'reference/client'],
  ['command line flags', 'reference/command'],
  ['data-encrypt-attribute', 'start/checkout-page'],
  ['browser library options', 'reference/library'],
  ['error 134', 'errors/134'],
  ['kubernetes', 'how-to/share-with-a-team'],
  ['partial refund', 'how-to/refund'],
  ['callback', 'how-to/verify-webhooks'],
  ['e2e', 'how-to/test-in-a-browser'],
]

const shop = await sharedGateway()

const search = async (question: string) => {
  const { body } = await shop.get<string>(`/docs/search?q=${encodeURIComponent(question)}`)
  const [, hits = ''] = body.split('<ol class="hits">')
  return [...hits.matchAll(/<li><a href="\/docs\/([^"#]*)/g)].map(([, page]) => page)
}

test.each(QUESTIONS)('the question "%s" finds %s', async (question, page) => {
  expect((await search(question))[0]).toBe(page)
})

test('a hit shows the path of its heading, and the sentence or row that has the word', async () => {
  const { body } = await shop.get<string>('/docs/search?q=page_minutes')
  expect(body).toMatch(/<li><a href="\/docs\/reference\/settings#[^"]*">Settings › [^<]*<\/a>/)
  expect(body).toMatch(/<p>page_minutes · 90 · Minutes until the payment page expires[^<]*<\/p>/)
})

test('other requests run while the first search reads the pages', async () => {
  const texts = Array.from({ length: 50 }, (_each, at) => `page${at}`)
  const page = (path: string) => ({ path, title: path, group: 'Start', markdown: () => path })
  let turns = 0
  const count = () => {
    turns += 1
    next = setImmediate(count)
  }
  let next = setImmediate(count)
  await createSearch(new Map(texts.map((path) => [path, page(path)])))
  clearImmediate(next)
  expect(turns).toBeGreaterThan(40)
})

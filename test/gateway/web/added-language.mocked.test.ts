import { expect, test, vi } from 'vitest'
import type * as Catalogue from '../../../mock-gateway/domain/errors/catalogue.ts'
import type * as Languages from '../../../mock-gateway/domain/language/languages.ts'
import { MERCHANT, payment, prepared } from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'

/** Texts of an invented language: the English texts between quotation marks. */
const { added, DESCRIPTIONS } = vi.hoisted(() => {
  const spoken = (words: object): object =>
    Object.fromEntries(
      Object.entries(words).map(([key, it]) => [
        key,
        typeof it === 'string' ? `«${it}»` : typeof it === 'object' ? spoken(it) : it,
      ]),
    )
  return {
    DESCRIPTIONS: {
      'errors.amount.missing': '«No amount»',
      'errors.authentication.failed': '«Who are you?»',
    } as Readonly<Record<string, string>>,
    added: async (load: () => Promise<{ TEXTS: { en: object } }>) => {
      const { TEXTS } = await load()
      return { TEXTS: { ...TEXTS, qq: spoken(TEXTS.en) } }
    },
  }
})

vi.mock('../../../mock-gateway/domain/language/languages.ts', async (importActual) => {
  const actual = await importActual<typeof Languages>()
  Object.assign(actual.LANGUAGES, { qq: { ...actual.LANGUAGES.en, name: 'Quack' } })
  return actual
})
vi.mock('../../../mock-gateway/domain/errors/catalogue.ts', async (importActual) => {
  const actual = await importActual<typeof Catalogue>()
  const getDescription: typeof actual.getDescription = (entry, locale) =>
    (String(locale) === 'qq' ? DESCRIPTIONS[entry.name] : undefined) ??
    actual.getDescription(entry, locale)
  return { ...actual, getDescription }
})
vi.mock('../../../mock-gateway/web/three-d-secure/texts.ts', added)
vi.mock('../../../mock-gateway/web/pages/authentication-results.ts', async (importActual) => {
  const { AUTHENTICATION_RESULTS: TEXTS } =
    await importActual<typeof import('../../../mock-gateway/web/pages/authentication-results.ts')>()
  return { AUTHENTICATION_RESULTS: (await added(async () => ({ TEXTS }))).TEXTS }
})
vi.mock('../../../mock-gateway/webhooks/mail/texts.ts', added)
vi.mock('../../../mock-gateway/web/hosted/texts.ts', async (importActual) => ({
  ...(await importActual<object>()),
  ...(await added(importActual)),
}))

const ASKING = { ...MERCHANT, settings: { three_d_secure: 'always' } } as const

const shop = await sharedGateway({ merchants: [ASKING], madeUpRows: true })

const open = async (address: string) => {
  const { pathname, search } = new URL(address)
  return (await shop.browser.send<string>('GET', pathname + search)).body
}

test('the payment page is shown in the added language, and the page in other languages links to it', async () => {
  const { body } = await shop.post('/v1/transactions', prepared({ locale: 'qq' }))
  const page = await open(body.href)
  expect(page).toContain('<html lang="qq"')
  expect(page).toMatch(/<h1[^>]*>«Pay» /)
  expect([...page.matchAll(/hreflang="(\w+)"/g)].map(([, code]) => code)).toEqual(['sv', 'en'])
  const inSwedish = await open(`${body.href}?lang=sv`)
  expect(inSwedish).toMatch(/hreflang="qq">Quack</)
})

test('errors are returned in the added language, and in English if it has no text for them', async () => {
  const refused = (fields: object) =>
    shop.post('/v1/transactions', { ...payment(), locale: 'qq', ...fields })
  expect((await refused({ amount: undefined })).body).toMatchObject({ description: '«No amount»' })
  expect((await refused({ currency: undefined })).body).toMatchObject({
    description: 'Currency is missing',
  })
})

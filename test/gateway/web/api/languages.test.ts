import { expect, test } from 'vitest'
import { errorBody, findEntryByName } from '../../../../mock-gateway/domain/errors/errors.ts'
import { LIMITS } from '../../../../mock-gateway/parsing/parameters/limits.ts'
import { prepared } from '../../../helpers/gateway.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'

const shop = await sharedGateway()

test.for([
  ['eng', '`locale=eng` is not supported. It can be sv or en.'],
  ['1234567', 'The value of `locale` is not supported. It can be sv or en.'],
] as const)('the explanation names an unsupported locale: %s', async ([locale, says]) => {
  const { status, headers } = await shop.post('/v1/transactions', prepared({ locale }))
  expect([status, headers.get('mondido-explain')]).toEqual([200, says])
})

test.for(['sv', 'EN', ''])('the locale "%s" needs no explanation', async (locale) => {
  const { headers } = await shop.get('/v1/plans', { locale })
  expect(headers.get('mondido-explain')).toBeNull()
})

test('the explanation names an unsupported language (lang) of a page', async () => {
  const { body } = await shop.post('/v1/transactions', prepared())
  const { headers } = await shop.browser.get(`${new URL(body.href).pathname}?lang=de`)
  expect(headers.get('mondido-explain')).toBe('`lang=de` is not supported. It can be sv or en.')
})

test.for(['sv', 'en'] as const)(
  'the error of a too large body names the command for large data, in %s',
  async (locale) => {
    const large = { note: 'x'.repeat(LIMITS.bodyBytes) }
    const { status, body, headers } = await shop.post(`/v1/transactions?locale=${locale}`, large)
    const entry = findEntryByName('errors.request.bad_format')
    expect([status, body]).toEqual([400, entry && errorBody(entry, locale)])
    expect(headers.get('mondido-explain')).toContain('mondido-gateway --fixtures file')
  },
)

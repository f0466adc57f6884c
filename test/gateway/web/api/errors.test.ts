import pino from 'pino'
import { describe, expect, test } from 'vitest'
import { findEntryByCode } from '../../../../mock-gateway/domain/errors/errors.ts'
import { createMerchant, MERCHANT, payment, startGateway } from '../../../helpers/gateway.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'

const WITH_OBJECT = createMerchant(2, { error_object: true })

const shop = await sharedGateway({ merchants: [MERCHANT, WITH_OBJECT] })

const SV = { name: 'errors.payment.declined', code: 129, description: 'Betalningen nekades' }
const EN = { ...SV, description: 'Payment declined' }
const declined = (over = {}) => payment({ card_cvv: '201', ...over })

test('an unexpected error has status 500 without details, and the log has them', async () => {
  const log: string[] = []
  const broken = await startGateway({
    logger: pino({ level: 'error' }, { write: (line) => void log.push(line) }),
  })
  await broken.get('/v1/transactions')
  await broken.close()
  // The test does not use the client, which accepts only documented answers.
  const address = 'http://localhost/v1/transactions?locale=en&merchant_id=1'
  const answer = await broken.gateway.handle(new Request(address, { method: 'POST' }))
  expect(answer.status).toBe(500)
  expect(answer.headers.get('mondido-explain')).toBeNull()
  expect(await answer.json()).toEqual({
    name: 'errors.unexpected',
    code: 133,
    description: 'Something unexpected went wrong; try again later',
  })
  const entry = JSON.parse(log.at(-1) ?? '{}')
  expect(entry).toMatchObject({
    request_id: answer.headers.get('x-request-id'),
    err: { stack: expect.any(String) },
    msg: 'A request failed',
  })
})

describe('the language of an error', () => {
  for (const [locale, expected] of [
    [undefined, SV],
    ['EN', EN],
    ['eng', SV],
  ] as const)
    test(`is ${expected === EN ? 'English' : 'Swedish'} for locale=${locale} in body or query`, async () => {
      expect((await shop.post('/v1/transactions', declined({ locale }))).body).toEqual(expected)
      const query = locale === undefined ? '' : `?locale=${locale}`
      expect((await shop.post(`/v1/transactions${query}`, declined())).body).toEqual(expected)
    })
})

const JSON_TYPE = { 'content-type': 'application/json' }

describe('the setting error_object', () => {
  const client = () => shop.as(WITH_OBJECT)

  const named = (over = {}) => payment({ merchant_id: WITH_OBJECT.id, ...over })

  for (const [what, code, refused] of [
    [
      'a payment before the bank is asked',
      119,
      () => client().post('/v1/transactions', payment({ card_number: '1' })),
    ],
    [
      'a payment of a browser',
      107,
      () => shop.browser.post('/v1/transactions', named({ hash: 'x' })),
    ],
    ['a list', 205, () => client().get('/v1/transactions?filter[secret]=1')],
    ['an unreadable body', 252, () => client().send('POST', '/v1/plans', '{', JSON_TYPE)],
    ['an invalid address', 196, () => client().get('/v1/nothing')],
    [
      'a wrong password',
      182,
      () => shop.as({ ...WITH_OBJECT, password: 'wrong' }).get('/v1/transactions'),
    ],
    [
      'a page of another site',
      138,
      () => client().get('/v1/plans', {}, { 'sec-fetch-site': 'cross-site' }),
    ],
  ] as const)
    test(`adds an empty object to the error of ${what} (error ${code})`, async () => {
      const { body } = await refused()
      expect(Object.keys(body)).toEqual(['name', 'code', 'description', 'object'])
      expect(body).toMatchObject({ code, object: {} })
      expect((body as object as { object: object }).object).toEqual({})
    })

  for (const [what, code, refused] of [
    ['another merchant', 119, () => shop.post('/v1/transactions', payment({ card_number: '1' }))],
    ['who has not logged in', 138, () => shop.browser.get('/v1/transactions')],
    ['whom nobody knows', 182, () => shop.as({ ...WITH_OBJECT, id: 999 }).get('/v1/plans')],
  ] as const)
    test(`adds nothing to the error of ${what} (error ${code})`, async () => {
      const { body } = await refused()
      expect(Object.keys(body)).toEqual(['name', 'code', 'description'])
      expect(body.code).toBe(code)
    })
})

describe('an unreadable body is rejected in the language that it requests:', () => {
  const FORM = 'application/x-www-form-urlencoded'
  const multipart = 'multipart/form-data; boundary=b'
  const part = (name: string, value: string) =>
    `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  for (const [type, body, code] of [
    [FORM, 'x=%FF&locale=LOCALE', 200],
    [FORM, 'locale=LOCALE&amount=1.00&amount=2.00', 253],
    ['application/json', '{ "locale" : "LOCALE", "amount": }', 252],
    [multipart, `${part('locale', 'LOCALE')}--b`, 253],
  ] as const)
    test(`error ${code} for ${type}`, async () => {
      for (const locale of ['en', 'sv'] as const) {
        const sent = body.replace('LOCALE', locale)
        const refused = await shop.send('POST', '/v1/transactions', sent, { 'content-type': type })
        expect(refused.body).toMatchObject({ code, description: findEntryByCode(code)?.[locale] })
      }
    })
})

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { prepare } from '../../../sdk/attempt/prepare.ts'
import { takeSnapshot } from '../../../sdk/form/snapshot.ts'
import { createDefaults, resolveSettings } from '../../../sdk/settings/options.ts'
import type { Payload } from '../../../sdk/state.ts'
import type { MondidoOptions } from '../../../sdk/types.ts'
import { createKeyPair, decryptValue } from '../helpers/keys.ts'

const { publicKey, privateKey } = createKeyPair()
const urls = { apiUrl: 'https://api.test', payUrl: 'https://pay.test', cdnUrl: 'https://cdn.test' }
const CARD = '<input data-encrypt-attribute="card_number" value="4111111111111111">'
const TEST = '<input name="test" value="true">'
let merchants = ['1']
let warnings: unknown[][]

beforeEach(() => {
  merchants = ['1']
  warnings = vi.spyOn(console, 'warn').mockReturnValue().mock.calls
})
afterEach(() => vi.restoreAllMocks())

function payloadOf(html: string, options: MondidoOptions = {}, attributes = ''): Payload {
  document.body.innerHTML = `<form ${attributes}>${html}</form>`
  const form = document.querySelector('form') as HTMLFormElement
  const settings = resolveSettings(form, { type: 'ajax', ...options }, createDefaults())
  const configs = new Map(
    merchants.map((merchantId) => [merchantId, { merchantId, publicKey, ...urls }]),
  )
  const attempt = { id: 'a1', settings, mounted: { form, shared: { configs } } }
  return prepare(Object(attempt), takeSnapshot(form, settings))
}
const fieldsOf = (html: string, options?: MondidoOptions) =>
  new URLSearchParams(payloadOf(html, options).fields.map(([...pair]) => pair))
const clear = (fields: URLSearchParams, name: string) =>
  decryptValue(fields.get(name) ?? '', privateKey)
const refusal = (code: string) => expect.objectContaining({ code })

describe('the sent fields', () => {
  test("are the plain fields in document order, then the encrypted ones, then the library's own", () => {
    const html = `<input name="b" value="1">${CARD}<input name="a" value="2">`
    expect([...fieldsOf(html).keys()]).toEqual([
      'b',
      'a',
      'card_number',
      'encrypted',
      'merchant_id',
      'locale',
      'mondido_attempt',
      'mondido_v',
    ])
  })

  test('an empty encrypted value is neither sent nor listed', () => {
    const fields = fieldsOf(`${CARD}<input data-encrypt-attribute="card_cvv" value="">`)
    expect([fields.get('encrypted'), fields.has('card_cvv')]).toEqual(['card_number', false])
  })

  test('`encrypted` is left out when nothing is encrypted', () => {
    expect(fieldsOf('<input data-encrypt-attribute="card_number" value="">').has('encrypted')).toBe(
      false,
    )
  })

  test('fields that the page’s server encrypted stay listed', () => {
    const fields = fieldsOf(
      `<input name="encrypted" value="hash, amount"><input name="hash" value="x">${CARD}`,
    )
    expect(fields.getAll('encrypted')).toEqual(['hash,amount,card_number'])
  })

  test.for<[string, string, string]>([
    ['blanks', '4111 1111 1111 1111', '4111111111111111'],
    ['dashes', '4111-1111-1111-1111', '4111111111111111'],
    ['full-width digits', '４１１１111111111111', '4111111111111111'],
    ['Arabic digits', '٤١١١ ١١١١ ١١١١ ١١١١', '4111111111111111'],
    ['Persian digits', '۴۱۱۱ ۱۱۱۱ ۱۱۱۱ ۱۱۱۱', '4111111111111111'],
    ['Devanagari digits', '४१११ ११११ ११११ ११११', '4111111111111111'],
    ['the token of a stored card', 'a1b2-c3', 'a1b2-c3'],
  ])('a card number with %s is sent in the format of the service', ([, typed, sent]) => {
    expect(
      clear(
        fieldsOf(`<input data-encrypt-attribute="card_number" value="${typed}">`),
        'card_number',
      ),
    ).toBe(sent)
  })

  test.for<[string, string]>([
    ['12 / 30', '1230'],
    ['1/30', '0130'],
    ['12/2030', '1230'],
    ['2030-12', '1230'],
    ['1230', '1230'],
    ['soon', 'soon'],
  ])('an expiry typed as %s is sent as %s', ([typed, sent]) => {
    expect(
      clear(
        fieldsOf(`<input data-encrypt-attribute="card_expiry" value="${typed}">`),
        'card_expiry',
      ),
    ).toBe(sent)
  })

  test.for<[string, string]>([
    ['4111111111111111', 'VISA'],
    ['5555555555554444', 'MASTERCARD'],
    ['378282246310005', 'AMEX'],
  ])('an empty card_type is filled in: %s is %s', ([number, type]) => {
    const html = `<input data-encrypt-attribute="card_number" value="${number}">`
    expect(
      clear(
        fieldsOf(`${html}<input type="hidden" data-encrypt-attribute="card_type">`),
        'card_type',
      ),
    ).toBe(type)
    expect(fieldsOf(`${html}<input type="hidden" name="card_type">`).get('card_type')).toBe(type)
  })

  test.for<[string, string, string]>([
    ['it says something', '4111111111111111', 'STORED_CARD'],
    ['the service has no word for the type', '5019717010103742', ''],
    ['the number is a token', '4f00aa', ''],
  ])('card_type is not changed if %s', ([, number, type]) => {
    const html = `<input data-encrypt-attribute="card_number" value="${number}"><input name="card_type" value="${type}">`
    expect(fieldsOf(html).get('card_type')).toBe(type)
  })

  test('card_type is not sent without a card_type input', () =>
    expect(fieldsOf(CARD).has('card_type')).toBe(false))
})

describe('the merchant', () => {
  test.for<[string, string]>([
    ['missing', ''],
    ['empty', '<input name="merchant_id" value=" ">'],
  ])('is the merchant of the script if the form’s field is %s', ([, html]) =>
    expect(fieldsOf(html + CARD).getAll('merchant_id')).toEqual(['1']),
  )

  test.for<[string, string[], string, MondidoOptions]>([
    ['the form names another than the script', ['1'], '2', {}],
    ['the form names another than the option', [], '2', { merchantId: '3' }],
    ['the form names none of two scripts', ['1', '2'], '3', {}],
    ['only zeros differ', ['1'], '01', {}],
  ])('is rejected if %s', ([, scripts, id, options]) => {
    merchants = scripts
    expect(() =>
      fieldsOf(`<input name="merchant_id" value="${id}">${CARD}`, { publicKey, ...options }),
    ).toThrow(refusal('config.merchant_mismatch'))
  })

  test('can be one of two scripts', () => {
    merchants = ['1', '2']
    expect(fieldsOf(`<input name="merchant_id" value="2">${CARD}`).get('merchant_id')).toBe('2')
  })

  test.for([[[]], [['1', '2']]])(
    'must be named by the page if its scripts are for %j',
    ([scripts]) => {
      merchants = scripts ?? []
      expect(() => fieldsOf(CARD, { publicKey })).toThrow(refusal('config.merchant_missing'))
    },
  )

  test('can be an option, also under its old name and as a number', () => {
    merchants = []
    const options = { publicKey, url: 'https://api.test/', merchant_id: 7 as unknown as string }
    expect(fieldsOf(CARD, options).get('merchant_id')).toBe('7')
  })
})

describe('the address', () => {
  test.for<[string, MondidoOptions, string, string]>([
    [
      'the option',
      { url: 'https://other.test/pay' },
      'action="https://x.test/"',
      'https://other.test/pay',
    ],
    [
      'the form’s action with its query',
      {},
      'action="https://x.test/v1/transactions?extend=stored_card"',
      'https://x.test/v1/transactions?extend=stored_card',
    ],
    ['the served gateway', {}, '', 'https://api.test/v1/transactions'],
    [
      'the served gateway for an empty action',
      {},
      'action=" "',
      'https://api.test/v1/transactions',
    ],
    ['the served hosted flow in form mode', { type: 'form' }, '', 'https://pay.test/v1/form'],
  ])('is %s', ([, options, attributes, url]) => {
    expect(payloadOf(CARD, options, attributes).url).toBe(url)
  })

  test.for(['javascript:alert(1)', 'ftp://x.test/', 'https://'])('is rejected: %s', (url) => {
    expect(() => payloadOf(CARD, { url })).toThrow(refusal('config.url_invalid'))
  })

  test('is required without a script', () => {
    merchants = []
    expect(() => payloadOf(CARD, { publicKey, merchantId: '1' })).toThrow(
      refusal('config.url_invalid'),
    )
  })
})

describe('a form', () => {
  test.for<[string, string, MondidoOptions]>([
    ['nothing is marked and nothing is paid now', '<input name="process" value="false">', {}],
    [
      'it pays by card in so many words',
      `${CARD}<input name="payment_method" value="credit_card">`,
      {},
    ],
    ['a file is ignored', `${CARD}<input type="file" name="f" data-mondido-ignore>`, {}],
    ['a file is posted as a form', `${CARD}<input type="file" name="f">`, { type: 'form' }],
    ['inputs agree', `${TEST}${CARD}${CARD}`, {}],
    [
      'one of two inputs is empty',
      `${TEST}${CARD}<input data-encrypt-attribute="card_number" value="">`,
      {},
    ],
  ])('is accepted if %s', ([, html, options]) => {
    expect(() => payloadOf(html, options)).not.toThrow()
  })

  test('with contradictory inputs sends the last one in a live payment, with a warning', async () => {
    const fields = fieldsOf(
      `${CARD}<input data-encrypt-attribute="card_number" value="5555555555554444">`,
    )
    expect(clear(fields, 'card_number')).toBe('5555555555554444')
    await vi.waitFor(
      () => expect(warnings).toEqual([[expect.stringContaining('card_number')]]),
      60_000,
    )
  })
})

test('the key can be an option, also under its old name', () => {
  const other = createKeyPair()
  const fields = fieldsOf(CARD, { public_key: other.publicKey })
  expect(decryptValue(fields.get('card_number') ?? '', other.privateKey)).toBe('4111111111111111')
})

describe('a page without https', () => {
  test.for<[string, string, boolean]>([
    ['cannot make a live payment', CARD, true],
    ['can make a test payment', TEST + CARD, false],
  ])('%s', ([, html, isRefused]) => {
    vi.stubGlobal('isSecureContext', false)
    const pay = () => payloadOf(html)
    if (isRefused) expect(pay).toThrow(refusal('config.insecure_context'))
    else expect(pay).not.toThrow()
    vi.unstubAllGlobals()
  })
})

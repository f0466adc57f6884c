import { constants, publicEncrypt } from 'node:crypto'
import { requestHash } from '../../../mock-gateway/domain/order/hash.ts'
import { DEFAULT_MERCHANT } from '../../../mock-gateway/merchants/seed.ts'
import { TEST_PUBLIC_KEY } from '../../helpers/keys.ts'

/** Merchant of the payments. */
export type Payee = Pick<typeof DEFAULT_MERCHANT, 'id' | 'password' | 'secret'>

/** Second merchant, for measurements with two merchants. */
export const OTHER_MERCHANT: Payee = {
  id: 2,
  password: 'another password',
  secret: 'another secret',
}

/**
 * Function that returns the text of the next HTTP request.
 * @param path used instead of the real path
 */
export type RequestMaker = (path?: string) => string

const headOf = ({ id, password }: Payee) =>
  [
    'Host: localhost',
    `Authorization: Basic ${btoa(`${id}:${password}`)}`,
    'User-Agent: bench/1.0',
    'Accept: application/json',
  ].join('\r\n')

const HEAD = headOf(DEFAULT_MERCHANT)

const get = (path: string) => `GET ${path} HTTP/1.1\r\n${HEAD}\r\n\r\n`

const post = (path: string, body: string, head = HEAD) =>
  `POST ${path} HTTP/1.1\r\n${head}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`

const CARD = {
  card_number: '4111111111111111',
  card_holder: 'Kim Berg',
  card_expiry: '1235',
  card_cvv: '200',
  card_type: 'VISA',
}

/** Encodes the fields that are the same in each payment. */
const form = (fields: Readonly<Record<string, string>>): string =>
  new URLSearchParams(fields).toString()

let orders = 0

/** Returns a payment with its own payment_ref and hash. */
function payment(
  card: string,
  paymentRef = nextRef(),
  { id, secret }: Payee = DEFAULT_MERCHANT,
): string {
  const order = { paymentRef, amount: '10.00', currency: 'sek' }
  const hash = requestHash(
    { merchantId: String(id), customerRef: '', test: true, ...order },
    secret,
  )
  return `amount=10.00&currency=sek&test=true&payment_ref=${paymentRef}&hash=${hash}&${card}`
}

const nextRef = () => `b${(++orders).toString(36)}`

/** Creates and pays a card payment in one call. */
export const plainCreate: RequestMaker = (path = '/v1/transactions') =>
  post(path, payment(PLAIN_CARD))

const PLAIN_CARD = form(CARD)

/** Number of encrypted fields in an encrypted payment. */
export const ENCRYPTED_FIELDS = Object.keys(CARD).length

/** Creates and pays a card payment with five encrypted card fields. */
export const encryptedCreate: RequestMaker = (path = '/v1/transactions') =>
  post(path, payment(nextEncryptedCard()))

/**
 * Creates card payments with one webhook.
 * @param asked receives each payment_ref before it is sent
 */
export function createWithWebhook(url: string, asked: (paymentRef: string) => void): () => string {
  const fields = form({ ...CARD, webhook: JSON.stringify({ trigger: 'payment', url }) })
  return () => {
    const paymentRef = nextRef()
    asked(paymentRef)
    return post('/v1/transactions', payment(fields, paymentRef))
  }
}

/**
 * Encrypted cards. Encryption is the payer's work, so it happens before the measurement. Several
 * values prevent caching.
 */
const ENCRYPTED_CARDS = Array.from({ length: 16 }, () =>
  form({
    encrypted: Object.keys(CARD).join(','),
    ...Object.fromEntries(
      Object.entries(CARD).map(([name, value]) => [name, encryptedValue(value)]),
    ),
  }),
)

const nextEncryptedCard = () => ENCRYPTED_CARDS[orders % ENCRYPTED_CARDS.length] as string

/** Encrypts a value like the browser library. */
export function encryptedValue(value: string): string {
  const key = { key: TEST_PUBLIC_KEY, padding: constants.RSA_PKCS1_PADDING }
  return publicEncrypt(key, Buffer.from(btoa(value))).toString('base64')
}

/** Reads one of the first `count` transactions, in turn. */
export function readOne(count: number): RequestMaker {
  let turn = 0
  return (path = `/v1/transactions/${(turn++ % count) + 1}`) => get(path)
}

/** Key of the control API of the measured gateways. */
export const CONTROL_KEY = 'a-key-of-the-benchmark-alone'

/** Returns a call of the control API without a body. */
export const controlPost = (path: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nX-Control-Key: ${CONTROL_KEY}\r\nContent-Length: 0\r\n\r\n`

/** Reads a page of ten transactions. */
export const listTen: RequestMaker = (path = '/v1/transactions?limit=10') => get(path)

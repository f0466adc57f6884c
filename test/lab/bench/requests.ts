import { constants, publicEncrypt } from 'node:crypto'
import { requestHash } from '../../../mock-gateway/domain/order/hash.ts'
import { DEFAULT_MERCHANT } from '../../../mock-gateway/merchants/seed.ts'
import { TEST_PUBLIC_KEY } from '../../helpers/keys.ts'

/** The merchant of the payments. */
export type Payee = Pick<typeof DEFAULT_MERCHANT, 'id' | 'password' | 'secret'>

/** A second merchant, where there is one. */
export const OTHER_MERCHANT: Payee = {
  id: 2,
  password: 'another password',
  secret: 'another secret',
}

/**
 * Returns the text of one HTTP request after the other.
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

/** The text of a payment's fields that are the same each time. */
const form = (fields: Readonly<Record<string, string>>): string =>
  new URLSearchParams(fields).toString()

let orders = 0

/** A payment with its own payment_ref, and so its own hash. */
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

/** A card payment, made and paid in one call. */
export const plainCreate: RequestMaker = (path = '/v1/transactions') =>
  post(path, payment(PLAIN_CARD))

const PLAIN_CARD = form(CARD)

/** The same for a merchant. */
export function plainCreateOf(merchant: Payee): RequestMaker {
  const head = headOf(merchant)
  return (path = '/v1/transactions') => post(path, payment(PLAIN_CARD, nextRef(), merchant), head)
}

/** Fields that an encrypted payment has encrypted. */
export const ENCRYPTED_FIELDS = Object.keys(CARD).length

/** The same with its five card fields encrypted. */
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
 * Encrypting is the payer's work, so it happens before the measurement. Several different values
 * avoid caching.
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

/** As the browser library encrypts it. */
export function encryptedValue(value: string): string {
  const key = { key: TEST_PUBLIC_KEY, padding: constants.RSA_PKCS1_PADDING }
  return publicEncrypt(key, Buffer.from(btoa(value))).toString('base64')
}

/** Reads one of the first `count` transactions, each in its turn. */
export function readOne(count: number): RequestMaker {
  let turn = 0
  return (path = `/v1/transactions/${(turn++ % count) + 1}`) => get(path)
}

/** Opens the control API of the gateways here. */
export const CONTROL_KEY = 'a-key-of-the-benchmark-alone'

/** A call of the control API that sends nothing but its address. */
export const controlPost = (path: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nX-Control-Key: ${CONTROL_KEY}\r\nContent-Length: 0\r\n\r\n`

/** Reads a page of ten transactions. */
export const listTen: RequestMaker = (path = '/v1/transactions?limit=10') => get(path)

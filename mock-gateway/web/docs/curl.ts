import type { Addresses } from '../../domain/addresses.ts'
import { requestHash } from '../../domain/order/hash.ts'
import { at, type Call, type Contract, type Media, type RequestBody } from './contract.ts'
import type { Example } from './pages.ts'

/** The merchant in examples. */
export interface ExampleMerchant {
  readonly id: number
  readonly password: string
  readonly secret: string
}

/** Creates the example of a call. */
export type ExampleMaker = (contract: Contract, call: Call) => Example

type Fields = Readonly<Record<string, unknown>>

/** Id of objects in examples, the first that a gateway assigns. */
const FIRST = 1

/**
 * Values that only a response contains: id and token of a prepared payment, and the page's style
 * sheet.
 */
const OF_PAGE: Readonly<Record<string, string>> = {
  transaction_id: `$(expr "$PAGE" : '{"id":\\([0-9]*\\)')`,
  token: `$(expr "$PAGE" : '.*/form/\\([^"]*\\)')`,
  nonce: '00112233445566778899aabbccddeeff',
  document: 'glossary',
  kind: 'errors',
  name: '107',
  file: `$(expr "$PAGE" : '.*/assets/\\([^"]*\\)')`,
}

/** The end of the bank's address for a challenged payer. */
const AT_BANK = `$(expr "$PAGE" : '.*/acs/\\([A-Za-z0-9_-]*\\)')`

/** A test card with a challenge. */
const CHALLENGED = '4000000000001091'

/**
 * Creates examples that work when pasted.
 * @param merchant undefined if its secrets are not public: then placeholders are used
 * @param newRef returns an unused payment_ref
 */
export function exampleMaker(
  addresses: Addresses,
  merchant: ExampleMerchant | undefined,
  newRef: () => string,
): ExampleMaker {
  return (contract, call) => {
    const body = bodyOf(contract, call)
    // A form names its merchant instead of logging in.
    const hasLogin = call.operation.security?.length !== 1 && !('merchant_id' in body)
    const url = `${addressOf(call, addresses)}${pathOf(call)}${queryOf(call, merchant)}`
    const command = commandFor(contract, call, { body, hasLogin, url })
    if (url.includes('$')) return { command, call: undefined }
    const [user = '', password = ''] = userOf(merchant).split(':')
    const fields = Object.fromEntries(
      Object.entries(body).map(([name, value]) => [name, textOf(value)]),
    )
    const login = hasLogin ? { user, password } : undefined
    return { command, call: { method: call.method.toUpperCase(), url, login, fields } }
  }

  function commandFor(
    contract: Contract,
    call: Call,
    {
      body,
      hasLogin,
      url,
    }: { readonly body: Fields; readonly hasLogin: boolean; readonly url: string },
  ): string {
    // With a body, curl uses POST by default.
    const isPlain = call.method === (call.operation.requestBody ? 'post' : 'get')
    const method = isPlain ? [] : ['-X', call.method.toUpperCase()]
    const login = hasLogin ? ['-u', userOf(merchant)] : []
    const command = commandOf(
      ['curl', ...method, ...login, url.includes('$') ? `"${url}"` : quote(url)],
      body,
    )
    if (call.path.includes('{file}'))
      return `PAGE=$(curl -s ${quote(`${addresses.pay}/v1/form/nobody`)})\n${command}`
    if (!url.includes('$PAGE')) return command
    return `${isAtBank(call) ? newChallenge(contract) : newPage(contract)}\n${command}`
  }

  /** Starts a challenge, and keeps the response, which leads to the bank. */
  function newChallenge(contract: Contract): string {
    const example = at<{ value: Fields }>(contract, '/components/examples/AuthenticatedOrder').value
      .value
    // A page uses the name of an authentication once.
    const { mpi_nonce: _used, ...order } = example
    const merchant_id = idOf('merchant_id', merchant)
    const challenged = { ...order, ...signed(order), merchant_id, card_number: CHALLENGED }
    return `PAGE=$(${commandOf(['curl', '-s', quote(`${addresses.pay}/v1/mpi_js`)], challenged)})`
  }

  /** Prepares a payment and keeps the response, for calls that need its values. */
  function newPage(contract: Contract): string {
    const order = at<{ value: Fields }>(contract, '/components/examples/PreparedPayment').value
      .value
    const url = quote(`${addresses.base}/v1/transactions`)
    const curl = ['curl', '-s', '-u', userOf(merchant), url]
    return `PAGE=$(${commandOf(curl, { ...order, ...signed(order) })})`
  }

  function bodyOf(contract: Contract, call: Call): Fields {
    if (!call.operation.requestBody) return {}
    const [media] = Object.values(
      at<RequestBody>(contract, `${call.pointer}/requestBody`).value.content,
    )
    const example = ((media && exampleOf(contract, media)) ?? {}) as Fields
    const ids = Object.keys(example).filter((name) => name.endsWith('_id'))
    const body = { ...example, ...Object.fromEntries(ids.map((id) => [id, idOf(id, merchant)])) }
    return 'hash' in body ? { ...body, ...signed(body) } : body
  }

  /** Adds a new payment_ref and its hash. */
  function signed(order: Fields) {
    const payment_ref = newRef()
    if (!merchant) return { payment_ref, hash: 'HASH' }
    const request = {
      merchantId: String(merchant.id),
      paymentRef: payment_ref,
      customerRef: '',
      amount: String(order.amount),
      currency: String(order.currency),
      test: order.test === true,
    }
    return { payment_ref, hash: requestHash(request, merchant.secret) }
  }
}

/** Returns the first example of a body. */
export function exampleOf(contract: Contract, { examples = {} }: Media): unknown {
  const [first] = Object.values(examples) as readonly {
    readonly $ref?: string
    readonly value?: unknown
  }[]
  return first?.$ref
    ? at<{ value: unknown }>(contract, first.$ref.slice(1)).value.value
    : first?.value
}

const userOf = (merchant: ExampleMerchant | undefined) =>
  merchant ? `${merchant.id}:${merchant.password}` : 'MERCHANT_ID:PASSWORD'

/** Returns the address of a call, by the variable of its server. */
function addressOf({ servers }: Call, { base, pay, cdn }: Addresses): string {
  const url = servers[0]?.url
  if (url === '{pay_url}') return pay
  return url === '{cdn_url}' ? cdn : base
}

/** Returns true for a call about an authentication, which requires a challenged payer. */
const isAtBank = ({ path }: Call): boolean => path.startsWith('/v1/acs/{')

const pathOf = (call: Call) =>
  call.path.replace(/\{(\w+)\}/g, (_whole, name: string) =>
    isAtBank(call) ? AT_BANK : (OF_PAGE[name] ?? String(FIRST)),
  )

/** Builds the query with the required parameters. */
function queryOf({ parameters }: Call, merchant: ExampleMerchant | undefined): string {
  const needed = parameters.filter((parameter) => parameter.in === 'query' && parameter.required)
  const fields = needed.map(
    ({ name, schema }) =>
      `${name}=${OF_PAGE[name] ?? schema.examples?.[0] ?? idOf(name, merchant)}`,
  )
  return fields.length > 0 ? `?${fields.join('&')}` : ''
}

const idOf = (name: string, merchant: ExampleMerchant | undefined) =>
  name === 'merchant_id' ? (merchant?.id ?? 'MERCHANT_ID') : FIRST

const commandOf = (words: readonly string[], fields: Fields) =>
  [
    words.join(' '),
    ...Object.entries(fields).map(
      ([name, value]) => `--data-urlencode ${quote(`${name}=${textOf(value)}`)}`,
    ),
  ].join(' \\\n  ')

const textOf = (value: unknown) =>
  typeof value === 'object' ? JSON.stringify(value) : String(value)

/** Quotes a text as one word for a shell. */
const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

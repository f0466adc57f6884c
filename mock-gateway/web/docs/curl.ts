import type { Addresses } from '../../domain/addresses.ts'
import { pickHashedParts, requestHash } from '../../domain/order/hash.ts'
import type { KnownMerchant } from '../../merchants/seed.ts'
import { at, type Call, type Contract, type Media, type RequestBody } from './contract.ts'
import type { Example } from './pages.ts'

type Fields = Readonly<Record<string, unknown>>

/** Values in addresses that only the answer of another call contains, or that a page needs. */
const IN_ADDRESS: Readonly<Record<string, string>> = {
  transaction_id: `$(expr "$PAGE" : '{"id":\\([0-9]*\\)')`,
  token: `$(expr "$PAGE" : '.*/form/\\([^"]*\\)')`,
  nonce: '00112233445566778899aabbccddeeff',
  document: 'glossary',
  kind: 'errors',
  name: '107',
  file: `$(expr "$PAGE" : '.*/assets/\\([^"]*\\)')`,
}

/** The end of the bank's address for a challenged payer, and a test card with a challenge. */
const AT_BANK = `$(expr "$PAGE" : '.*/acs/\\([A-Za-z0-9_-]*\\)')`
const CHALLENGED = '4000000000001091'

/** Returns true for a call about an authentication, which requires a challenged payer. */
const isAtBank = ({ path }: Call): boolean => path.startsWith('/v1/acs/{')

/**
 * Creates examples of calls that work when pasted.
 * @param merchant undefined if its secrets are not public: then placeholders are used
 * @param newRef returns an unused payment_ref
 */
export function createExampleMaker(
  contract: Contract,
  { base, pay, cdn }: Addresses,
  merchant: KnownMerchant | undefined,
  newRef: () => string,
): (call: Call) => Example {
  const user = String(merchant?.id ?? 'MERCHANT_ID')
  const password = merchant?.password ?? 'PASSWORD'
  const login = ['-u', `${user}:${password}`]

  return (call) => {
    const body = createBody(call)
    // A form names its merchant instead of logging in.
    const hasLogin = call.operation.security?.length !== 1 && !('merchant_id' in body)
    const roles: Readonly<Record<string, string>> = { '{pay_url}': pay, '{cdn_url}': cdn }
    const url = `${roles[call.servers[0]?.url ?? ''] ?? base}${fillPath(call)}${writeQuery(call, hasLogin)}`
    const isOpen = url.includes('$')
    // With a body, curl uses POST by default.
    const isPlain = call.method === (call.operation.requestBody ? 'post' : 'get')
    const method = isPlain ? [] : ['-X', call.method.toUpperCase()]
    const words = [...method, ...(hasLogin ? login : []), isOpen ? `"${url}"` : quote(url)]
    const command = [preparation(call, url), writeCommand(['curl', ...words], body)].join('')
    if (isOpen) return { command, call: undefined }
    const fields = Object.fromEntries(
      Object.entries(body).map(([name, value]) => [name, formatValue(value)]),
    )
    return {
      command,
      call: {
        ...{ method: call.method.toUpperCase(), url, fields },
        login: hasLogin ? { user, password } : undefined,
      },
    }
  }

  /** Keeps the answer of another call in a variable, for a call that needs its values. */
  function preparation(call: Call, url: string): string {
    if (!url.includes('$PAGE')) return ''
    return `PAGE=$(${
      call.path.includes('{file}')
        ? `curl -s ${quote(`${pay}/v1/form/nobody`)}`
        : isAtBank(call)
          ? newChallenge()
          : newPage()
    })\n`
  }

  function newChallenge(): string {
    // A page uses the name of an authentication once.
    const { mpi_nonce: _used, ...order } = exampleNamed('AuthenticatedOrder')
    const challenged = { ...signed(order), merchant_id: user, card_number: CHALLENGED }
    return writeCommand(['curl', '-s', quote(`${pay}/v1/mpi_js`)], challenged)
  }

  function newPage(): string {
    const url = quote(`${base}/v1/transactions`)
    return writeCommand(['curl', '-s', ...login, url], signed(exampleNamed('PreparedPayment')))
  }

  function exampleNamed(name: string): Fields {
    return at<{ value: Fields }>(contract, `/components/examples/${name}`).value.value
  }

  function createBody(call: Call): Fields {
    if (!call.operation.requestBody) return {}
    const { content } = at<RequestBody>(contract, `${call.pointer}/requestBody`).value
    const [media] = Object.values(content)
    const example = ((media && findExample(contract, media)) ?? {}) as Fields
    const ids = Object.keys(example).filter((name) => name.endsWith('_id'))
    const body = {
      ...example,
      ...Object.fromEntries(ids.map((name) => [name, createExampleId(name)])),
    }
    return 'hash' in body ? signed(body) : body
  }

  /** Adds a new payment_ref and its hash. */
  function signed(order: Fields): Fields {
    const fields = { ...order, payment_ref: newRef() }
    const hash = merchant
      ? requestHash(pickHashedParts(merchant.id, fields), merchant.secret)
      : 'HASH'
    return { ...fields, hash }
  }

  function fillPath(call: Call): string {
    return call.path.replace(/\{(\w+)\}/g, (_whole, name: string) =>
      isAtBank(call) ? AT_BANK : (IN_ADDRESS[name] ?? '1'),
    )
  }

  /** Builds the query with the required parameters; errors of calls with a login are in English. */
  function writeQuery({ parameters }: Call, hasLogin: boolean): string {
    const fields = parameters
      .filter((parameter) => parameter.in === 'query' && parameter.required)
      .map(({ name, schema }) => {
        return `${name}=${IN_ADDRESS[name] ?? schema.examples?.[0] ?? createExampleId(name)}`
      })
    if (hasLogin) fields.push('locale=en')
    return fields.length > 0 ? `?${fields.join('&')}` : ''
  }

  /** Returns the id of the merchant, or the first id that a gateway assigns. */
  function createExampleId(name: string): string {
    return name === 'merchant_id' ? user : '1'
  }
}

/** Returns the first example of a body. */
export function findExample(contract: Contract, { examples = {} }: Media): unknown {
  const [first] = Object.values(examples) as readonly {
    readonly $ref?: string
    readonly value?: unknown
  }[]
  return first?.$ref
    ? at<{ value: unknown }>(contract, first.$ref.slice(1)).value.value
    : first?.value
}

const writeCommand = (words: readonly string[], fields: Fields) =>
  [
    words.join(' '),
    ...Object.entries(fields).map(
      ([name, value]) => `--data-urlencode ${quote(`${name}=${formatValue(value)}`)}`,
    ),
  ].join(' \\\n  ')

const formatValue = (value: unknown) =>
  typeof value === 'object' ? JSON.stringify(value) : String(value)

/** Quotes a text as one word for a shell. */
const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

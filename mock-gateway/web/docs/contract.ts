/** The used part of an OpenAPI 3.1 document; `$ref` may replace any value. */
export interface Document {
  readonly info: { readonly title: string; readonly summary: string; readonly description: string }
  readonly servers: readonly Server[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, PathItem>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** The document of the merchants' API. */
export interface Contract extends Document {
  /** Webhooks by trigger. */
  readonly webhooks: Readonly<Record<string, PathItem>>
  /** Answers at addresses outside `paths`; the first match counts. */
  readonly 'x-elsewhere': readonly Elsewhere[]
}

/** Answers at addresses outside the document. */
interface Elsewhere {
  /** A regular expression, ignoring case. */
  readonly address: string
  readonly responses: Readonly<Record<string, Answer>>
  readonly 'x-errors': readonly number[]
}

interface Server {
  readonly url: string
  readonly variables: Readonly<
    Record<string, { readonly default: string; readonly description: string }>
  >
}

const METHODS = ['get', 'post', 'put', 'delete', 'options'] as const
type Method = (typeof METHODS)[number]

interface PathItem extends Readonly<Partial<Record<Method, Operation>>> {
  readonly servers?: readonly Server[]
  readonly parameters?: readonly Parameter[]
}

export interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly security?: readonly object[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: RequestBody
  readonly responses: Readonly<Record<string, Answer>>
  /** Numbers of the error catalogue; groups are expanded. */
  readonly 'x-errors': readonly number[]
  /** Tests may request any other error of the catalogue (specification: service_instructions). */
  readonly 'x-forced-errors'?: true
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly description?: string
  readonly example?: unknown
  readonly schema: Schema
}

export interface RequestBody {
  readonly required?: boolean
  readonly content: Readonly<Record<string, Media>>
}

export interface Answer {
  readonly description: string
  readonly headers: Readonly<Record<string, Header>>
  readonly content?: Readonly<Record<string, Media>>
}

export interface Header {
  readonly required: boolean
  readonly description: string
  readonly schema: Schema
  readonly example?: string
}

export interface Media {
  readonly schema: Schema
  readonly examples?: Readonly<
    Record<string, { readonly summary?: string; readonly value: unknown }>
  >
}

/** JSON Schema 2020-12. */
export interface Schema {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly pattern?: string
  readonly examples?: readonly unknown[]
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly allOf?: readonly Schema[]
  readonly items?: Schema
  readonly [keyword: string]: unknown
}

/** A value of the document with its JSON pointer, without the `#`. */
export interface ContractPart<T> {
  readonly value: T
  readonly pointer: string
}

/**
 * Finds the value at a pointer, and follows a reference.
 * @throws TypeError if there is none
 */
export function at<T>(contract: Document, pointer: string): ContractPart<T> {
  let value: unknown = contract
  let here = ''
  for (const part of pointer.split('/').slice(1)) {
    value = (value as Record<string, unknown>)[part.replaceAll('~1', '/').replaceAll('~0', '~')]
    here = `${here}/${part}`
    if (value === undefined) throw new TypeError(`The contract has nothing at ${here}`)
    const reference = (value as { $ref?: string } | null)?.$ref
    // A reference is a URI, so braces of an address are percent-encoded in it (RFC 6901, section
    // 6).
    if (typeof reference === 'string')
      ({ value, pointer: here } = at<unknown>(contract, decodeURIComponent(reference.slice(1))))
  }
  return { value: value as T, pointer: here }
}

/** Escapes a name for a JSON pointer. */
export const part = (name: string | number): string =>
  `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`

/** Expands aliases, for parsers that do not follow a reference to a path; each call gets a name. */
export function resolvePaths(contract: Contract): Contract {
  const paths = Object.keys(contract.paths).map((path) => {
    const { value, pointer } = at<PathItem>(contract, `/paths${part(path)}`)
    if (pointer === `/paths${part(path)}`) return [path, value]
    const named = METHODS.flatMap((method) => {
      const operation = value[method]
      return operation
        ? [[method, { ...operation, operationId: `${operation.operationId}${createName(path)}` }]]
        : []
    })
    return [path, { ...value, ...Object.fromEntries(named) }]
  })
  return { ...contract, paths: Object.fromEntries(paths) }
}

/** Turns `/v1/stored_card/{id}` into `AtV1StoredCardId`. */
const createName = (path: string): string =>
  `At${path.replace(/[^A-Za-z0-9]+(\w?)/g, (_between, first: string) => first.toUpperCase())}`

/** A call of the document. */
export interface Call {
  readonly method: Method
  readonly path: string
  /** Pointer of the operation; for a reference, on another path. */
  readonly pointer: string
  readonly operation: Operation
  /** Parameters of the operation and of its path. */
  readonly parameters: readonly Parameter[]
  readonly servers: readonly Server[]
}

/** Lists every call at every address, including aliases. */
export function listCalls(contract: Document): Call[] {
  return Object.keys(contract.paths).flatMap((path) => {
    const item = at<PathItem>(contract, `/paths${part(path)}`)
    const parameters = (from: string, list: readonly unknown[] = []) =>
      list.map((_each, index) => at<Parameter>(contract, `${from}/parameters/${index}`).value)
    return METHODS.flatMap((method) => {
      const operation = item.value[method]
      if (!operation) return []
      const pointer = `${item.pointer}/${method}`
      return {
        method,
        path,
        pointer,
        operation,
        servers: item.value.servers ?? contract.servers,
        parameters: [
          ...parameters(item.pointer, item.value.parameters),
          ...parameters(pointer, operation.parameters),
        ],
      }
    })
  })
}

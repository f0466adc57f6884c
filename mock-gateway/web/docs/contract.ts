/** An OpenAPI 3.1 object as far as this project reads it; `$ref` may stand for any value. */
export interface Document {
  readonly info: { readonly title: string; readonly summary: string; readonly description: string }
  readonly servers: readonly Server[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, PathItem>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** The document of the merchants' API. */
export interface Contract extends Document {
  /** What is sent to a shop, by trigger. */
  readonly webhooks: Readonly<Record<string, PathItem>>
  /** What addresses answer that are not in `paths`: the first that fits. */
  readonly 'x-elsewhere': readonly Elsewhere[]
}

/** What addresses answer that are not in the document. */
interface Elsewhere {
  /** A regular expression, to be read without regard to case. */
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

export const METHODS = ['get', 'post', 'put', 'delete', 'options'] as const
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
  /** Numbers of the error catalogue; groups are spelled out. */
  readonly 'x-errors': readonly number[]
  /** A test may ask for any other error of the catalogue (specification: service_instructions). */
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

/** A value of the document and where it stands, as a JSON pointer without the `#`. */
export interface ContractPart<T> {
  readonly value: T
  readonly pointer: string
}

/**
 * What stands at a pointer; a reference there is followed.
 * @throws TypeError when nothing stands there
 */
export function at<T>(contract: Document, pointer: string): ContractPart<T> {
  let value: unknown = contract
  let here = ''
  for (const part of pointer.split('/').slice(1)) {
    value = (value as Record<string, unknown>)[part.replaceAll('~1', '/').replaceAll('~0', '~')]
    here = `${here}/${part}`
    if (value === undefined) throw new TypeError(`The contract has nothing at ${here}`)
    const reference = (value as { $ref?: string } | null)?.$ref
    // A reference is a URI, so braces of an address stand percent-encoded in it (RFC 6901, section
    // 6).
    if (typeof reference === 'string')
      ({ value, pointer: here } = at<unknown>(contract, decodeURIComponent(reference.slice(1))))
  }
  return { value: value as T, pointer: here }
}

/** One part of a pointer: a name, its slashes and tildes escaped. */
export const part = (name: string | number): string =>
  `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`

/**
 * The document with aliases written out, for parsers that follow no reference in the place of a
 * path; each call gets a name.
 */
export function resolvePaths(contract: Contract): Contract {
  const paths = Object.keys(contract.paths).map((path) => {
    const { value, pointer } = at<PathItem>(contract, `/paths${part(path)}`)
    if (pointer === `/paths${part(path)}`) return [path, value]
    const named = METHODS.flatMap((method) => {
      const operation = value[method]
      return operation
        ? [[method, { ...operation, operationId: `${operation.operationId}${nameOf(path)}` }]]
        : []
    })
    return [path, { ...value, ...Object.fromEntries(named) }]
  })
  return { ...contract, paths: Object.fromEntries(paths) }
}

/** `/v1/stored_card/{id}` as `AtV1StoredCardId`. */
const nameOf = (path: string): string =>
  `At${path.replace(/[^A-Za-z0-9]+(\w?)/g, (_between, first: string) => first.toUpperCase())}`

/** A call of the document. */
export interface Call {
  readonly method: Method
  readonly path: string
  /** Of the operation; behind a reference it is that of another path. */
  readonly pointer: string
  readonly operation: Operation
  /** Of the operation and of its path. */
  readonly parameters: readonly Parameter[]
  readonly servers: readonly Server[]
}

/** Every call at every address, aliases included. */
export function callsOf(contract: Document): Call[] {
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

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { ApiError } from '../../mock-gateway/contract/wire.ts'
import { CATALOGUE } from '../../mock-gateway/domain/errors/catalogue.ts'
import {
  type Answer,
  at,
  type Call,
  type Contract,
  type ContractPart,
  type Document,
  type Header,
  listCalls,
  type Operation,
  part,
} from '../../mock-gateway/web/docs/contract.ts'
import { read } from './documents.ts'

let parsed: Contract | undefined

/** Returns the contract, which is read once. Callers must not change it. */
export const readContract = (): Contract =>
  (parsed ??= JSON.parse(read('mock-gateway/contract/openapi.json')))

/** Creates the check of the answers of an API against its document. */
export function controlChecker(document: Document) {
  const validate = validatorsOf(document)
  const callsAt = callFinder(document)
  return (method: string, path: string, status: number, headers: Headers, body: unknown) => {
    const call = callsAt(pathOf(path)).find((one) => one.method === method.toLowerCase())
    // An unknown call gets status 404, unless its parameters are unreadable or the key is missing.
    if (!call && [400, 401, 404].includes(status)) return
    const [type = ''] = (headers.get('content-type') ?? '').split(';')
    const answer = call?.operation.responses[status]
    const content = answer && at<Answer>(document, `${call.pointer}/responses/${status}`)
    const problems = content?.value.content?.[type]
      ? validate(
          at(document, `${content.pointer}/content${part(type)}/schema`).pointer,
          body,
          'body',
        )
      : [`no answer ${status} of type ${type} is documented`]
    if (problems.length > 0)
      throw new Error([`${method} /_control${path}:`, ...problems].join('\n'))
  }
}

/** Headers that every server sends, whatever the call. */
const TRANSPORT: ReadonlySet<string> = new Set(
  'connection content-length content-type date keep-alive transfer-encoding'.split(' '),
)

/**
 * Checks an answer of the gateway against the contract: address, status, headers, body, error code.
 * @param body parsed JSON, the text of any other body, or undefined if the body is not available
 * @throws Error with every contradiction to the contract
 */
export type Checker = (
  method: string,
  url: string,
  status: number,
  headers: Headers,
  body: unknown,
) => void

let check: Checker | undefined

/** Checks an answer against the contract of the repository. */
export const checkAnswer: Checker = (...answer) => {
  check ??= createChecker(readContract())
  check(...answer)
}

/** Converts the body of an answer into the form that `checkAnswer` accepts. */
export const readAnswer = (headers: Headers, text: string): unknown =>
  text !== '' && headers.get('content-type')?.includes('json') ? JSON.parse(text) : text

/** Creates a checker like `checkAnswer` for any contract. */
export function createChecker(contract: Contract): Checker {
  const validate = validatorsOf(contract)
  const callsAt = callFinder(contract)
  // Few parts of the contract are looked up very often, so they are cached.
  const places = new Map<string, ContractPart<unknown>>()
  const found = <T>(pointer: string): ContractPart<T> => {
    const known = places.get(pointer) ?? at<T>(contract, pointer)
    places.set(pointer, known)
    return known as ContractPart<T>
  }

  return (method, url, status, headers, body) => {
    const pathname = pathOf(url)
    // The contract describes only the merchants' API. Tests of the control API, the console and the
    // button of the home page check their answers themselves.
    if (/^\/(_control|console|normal)(\/|$)/.test(pathname)) return
    const wanted = method === 'HEAD' ? 'get' : method.toLowerCase()
    const calls = callsAt(pathname)
    const called = calls.find((call) => call.method === wanted)
    const answer = { status, headers, body: method === 'HEAD' ? undefined : body }
    const problems = called
      ? problemsOf(
          { ...called, responses: called.operation.responses, refusing: called.operation },
          answer,
        )
      : wanted === 'options' && status === 200 && calls.length > 0
        ? problemsOfMethods(calls, answer)
        : problemsElsewhere(pathname, answer)
    if (problems.length > 0)
      throw new Error(
        [`${method} ${url} answered ${status}, against the contract:`, ...problems].join('\n'),
      )
  }

  function problemsOf(
    { path, pointer, responses, refusing }: Documented,
    answer: Received,
  ): string[] {
    if (answer.status === 503) return problemsOfUnavailable(pointer, responses, answer)
    if (!responses[answer.status]) return [`${path} has no answer ${answer.status}`]
    const documented = found<Answer>(`${pointer}/responses/${answer.status}`)
    return [
      ...headerProblems(documented, answer),
      ...bodyProblems(documented, answer),
      ...errorProblems(refusing, answer),
    ]
  }

  /**
   * Checks status 503, which is the same for every call except for the headers of the call's
   * answers.
   */
  function problemsOfUnavailable(
    pointer: string,
    responses: Documented['responses'],
    answer: Received,
  ): string[] {
    const documented = found<Answer>('/components/responses/Unavailable')
    const ofOthers = Object.keys(responses).flatMap((status) =>
      Object.keys(found<Answer>(`${pointer}/responses/${status}`).value.headers),
    )
    const headers = new Headers(answer.headers)
    for (const name of ofOthers) if (!(name in documented.value.headers)) headers.delete(name)
    const name = errorNameOf(answer)
    return [
      ...headerProblems(documented, { ...answer, headers }),
      ...bodyProblems(documented, answer),
      ...(name === 'errors.service_not_available' ? [] : [`${name} with status 503`]),
    ]
  }

  function headerProblems(
    { value, pointer }: ContractPart<Answer>,
    { headers }: Received,
  ): string[] {
    const documented = new Set(Object.keys(value.headers).map((name) => name.toLowerCase()))
    const names = [...headers.keys()].map((name) => name.toLowerCase())
    const unknown = names.filter((name) => !documented.has(name) && !TRANSPORT.has(name))
    const wrong = Object.keys(value.headers).flatMap((name) => {
      const header = found<Header>(`${pointer}/headers${part(name)}`)
      const sent = headers.get(name)
      if (sent === null) return header.value.required ? [`header ${name} is missing`] : []
      return validate(`${header.pointer}/schema`, sent, `header ${name}`)
    })
    return [...unknown.map((name) => `header ${name} is not documented`), ...wrong]
  }

  function bodyProblems(
    { value: { content }, pointer }: ContractPart<Answer>,
    { headers, body }: Received,
  ): string[] {
    if (body === undefined) return []
    if (!content) return body === '' ? [] : ['a body is not documented']
    if (body === '') return ['the body is empty']
    const sent = headers.get('content-type') ?? ''
    const [type = ''] = sent.split(';')
    if (!content[type]) return [`a body of type "${type}" is not documented`]
    return [
      ...(sent.toLowerCase() === `${type}; charset=utf-8`
        ? []
        : [`the content type "${sent}" does not say UTF-8`]),
      ...validate(found(`${pointer}/content${part(type)}/schema`).pointer, body, 'body'),
    ]
  }

  /** Checks the methods of an address, whose answers HTTP itself defines. */
  function problemsOfMethods(calls: readonly Call[], answer: Received): string[] {
    const methods = calls.flatMap(({ method }) =>
      method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()],
    )
    const documented = [...new Set(methods)].sort().join(', ')
    const told = answer.headers.get('allow') ?? ''
    return [
      ...headerProblems(found<Answer>('/components/responses/Methods'), answer),
      ...(told.split(', ').sort().join(', ') === documented
        ? []
        : [`Allow says ${told}, documented: ${documented}`]),
      ...(answer.body === told ? [] : ['the body is not the list of Allow']),
    ]
  }

  /** Checks the answer of an unknown address, which must be an error like the errors of calls. */
  function problemsElsewhere(pathname: string, answer: Received): string[] {
    const index = contract['x-elsewhere'].findIndex(({ address }) =>
      new RegExp(address, 'i').test(pathname),
    )
    const elsewhere = contract['x-elsewhere'][index]
    if (!elsewhere?.responses[answer.status]) return ['the contract has no such call']
    const { responses } = elsewhere
    return problemsOf(
      { path: pathname, pointer: `/x-elsewhere/${index}`, responses, refusing: elsewhere },
      answer,
    )
  }
}

interface Received {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
}

/** Call or webhook of the document with its answers. */
interface Documented {
  readonly path: string
  readonly pointer: string
  readonly responses: Readonly<Record<string, Answer>>
  readonly refusing: Pick<Operation, 'x-errors' | 'x-forced-errors'>
}

/**
 * Returns the name of the error in an answer: in JSON, on a page, or in a redirect to the shop.
 * Undefined if there is none.
 */
function errorNameOf({ status, headers, body }: Received): string | undefined {
  const location = headers.get('location')
  if (location !== null) return new URL(location).searchParams.get('error_name') ?? undefined
  if (status < 400) return undefined
  return typeof body === 'string' ? /data-error="([^"]+)"/.exec(body)?.[1] : (body as ApiError).name
}

function errorProblems(refusing: Documented['refusing'], answer: Received): string[] {
  const { status, headers, body } = answer
  const location = headers.get('location')
  if (body === undefined && location === null) return []
  const name = errorNameOf(answer)
  if (name === undefined) return status < 400 ? [] : ['no error is named']
  const code = typeof body === 'object' ? (body as ApiError).code : undefined
  const entry = CATALOGUE.find((row) => row.name === name && (code ?? row.code) === row.code)
  // A payer is redirected to the shop, or gets a page. Some pages have a more precise status than
  // the error.
  const statusFits = location !== null || [405, 410, 422].includes(status) || entry?.http === status
  const isForced =
    refusing['x-forced-errors'] === true &&
    (headers.get('mondido-explain')?.includes('service_instructions') ||
      location?.includes('transaction_id='))
  return [
    ...(entry && statusFits
      ? []
      : [`${name} ${code} with status ${status} is not in the catalogue`]),
    ...(isForced || refusing['x-errors'].includes(entry?.code ?? 0)
      ? []
      : [`x-errors lacks ${entry?.code} ${name}`]),
  ]
}

/**
 * Returns the path of an address, of a path with a query, or of the text that a raw socket sent.
 */
const pathOf = (url: string): string =>
  (url.startsWith('//') ? url.split('?')[0] : URL.parse(url, 'http://localhost')?.pathname) ?? url

/**
 * Creates a function that finds the calls of an address. Like the gateway's routes it ignores case
 * and slashes at the end, and prefers a literal path to a path with a parameter.
 */
function callFinder(contract: Document): (pathname: string) => Call[] {
  const calls = listCalls(contract).map((call) => {
    const source = call.path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')
    return { call, pattern: new RegExp(`^${source}/*$`, 'i') }
  })
  calls.sort((one, other) => one.call.path.split('{').length - other.call.path.split('{').length)
  return (pathname) => calls.filter(({ pattern }) => pattern.test(pathname)).map(({ call }) => call)
}

/**
 * Creates a function that returns the compiled schema of a pointer. Each schema is compiled when it
 * is first needed.
 */
export function validatorsOf(contract: Document) {
  // Compiled schemas run only a few times, so optimizing them would take longer.
  const code = { optimize: false }
  const ajv = new Ajv2020({
    allErrors: true,
    strict: true,
    strictTypes: false,
    strictRequired: false,
    code,
  })
  addFormats.default(ajv)
  // The document contains schemas and is not a schema itself.
  ajv.addVocabulary(Object.keys(contract))
  ajv.addSchema(contract, 'contract')
  const compiled = new Map<string, ValidateFunction>()
  return (pointer: string, value: unknown, what: string): string[] => {
    const known = compiled.get(pointer) ?? ajv.compile({ $ref: `contract#${encodeURI(pointer)}` })
    compiled.set(pointer, known)
    if (known(value)) return []
    return (known.errors ?? []).map(({ instancePath, message, params }) =>
      [what, instancePath, message, JSON.stringify(params)].join(' '),
    )
  }
}

import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import {
  type Answer,
  at,
  type Call,
  type Contract,
  callsOf,
  type Header,
  part,
} from '../../mock-gateway/api/docs/contract.ts'
import { parseContract } from '../../mock-gateway/api/docs/parse.ts'
import type { ApiError } from '../../mock-gateway/contract/error.ts'
import { entryByName } from '../../mock-gateway/domain/errors.ts'

/** The contract's own text. */
export const CONTRACT_FILE = new URL('../../mock-gateway/contract/openapi.yaml', import.meta.url)

/** What every server sends, whatever it answers. */
const TRANSPORT: ReadonlySet<string> = new Set(
  'connection content-length content-type date keep-alive transfer-encoding'.split(' '),
)

export type Checker = (method: string, url: string, status: number, headers: Headers, body: unknown) => void

let check: Checker | undefined

/**
 * Holds an answer of the gateway against the contract: address, status, headers, body, error code.
 * @param body read JSON, or the text of anything else
 * @throws Error that says everything that is not as documented
 */
export const checkAnswer: Checker = (...answer) => {
  check ??= checkerOf(parseContract(readFileSync(CONTRACT_FILE, 'utf8')))
  check(...answer)
}

/** As `checkAnswer`, for any contract. */
export function checkerOf(contract: Contract): Checker {
  const validate = validatorsOf(contract)
  const calls = callsOf(contract).map((call) => ({ call, pattern: patternOf(call.path) }))
  // An address written out comes before one with a parameter in its place.
  calls.sort((one, other) => one.call.path.split('{').length - other.call.path.split('{').length)

  return (method, url, status, headers, body) => {
    const { pathname } = new URL(url, 'http://localhost')
    const wanted = method === 'HEAD' ? 'get' : method.toLowerCase()
    const called = calls.find(({ call, pattern }) => call.method === wanted && pattern.test(pathname))?.call
    const answer = { status, headers, body: method === 'HEAD' ? '' : body }
    // HTTP itself says how to answer what may be asked of an address.
    if (!called && wanted === 'options' && status === 200) return
    const problems = called ? problemsOf(called, answer) : problemsElsewhere(pathname, answer)
    if (problems.length > 0)
      throw new Error([`${method} ${url} answered ${status}, against the contract:`, ...problems].join('\n'))
  }

  function problemsOf(call: Call, { status, headers, body }: Received): string[] {
    if (!call.operation.responses[status]) return [`${call.path} has no answer ${status}`]
    const { value: answer, pointer } = at<Answer>(contract, `${call.pointer}/responses/${status}`)
    return [
      ...headerProblems(answer, pointer, headers),
      ...bodyProblems(answer, pointer, headers, body),
      ...errorProblems(call.operation['x-errors'], call.operation['x-forced-errors'], { status, headers, body }),
    ]
  }

  function headerProblems(answer: Answer, pointer: string, headers: Headers): string[] {
    const documented = new Set(Object.keys(answer.headers).map((name) => name.toLowerCase()))
    const unknown = [...headers.keys()].filter((name) => !documented.has(name) && !TRANSPORT.has(name))
    const wrong = Object.keys(answer.headers).flatMap((name) => {
      const header = at<Header>(contract, `${pointer}/headers${part(name)}`)
      const value = headers.get(name)
      if (value === null) return header.value.required ? [`header ${name} is missing`] : []
      return validate(`${header.pointer}/schema`, value, `header ${name}`)
    })
    return [...unknown.map((name) => `header ${name} is not documented`), ...wrong]
  }

  function bodyProblems({ content }: Answer, pointer: string, headers: Headers, body: unknown): string[] {
    if (body === '') return []
    const [type = ''] = (headers.get('content-type') ?? '').split(';')
    if (!content?.[type]) return [`a body of type "${type}" is not documented`]
    return validate(at(contract, `${pointer}/content${part(type)}/schema`).pointer, body, 'body')
  }

  /** An address that leads nowhere is refused like everything else; payers see a page instead. */
  function problemsElsewhere(pathname: string, answer: Received): string[] {
    if (answer.status < 400) return ['the contract has no such call']
    if (pathname.startsWith('/v1/form') && answer.headers.get('content-type')?.startsWith('text/html')) return []
    return [
      ...(answer.body === '' ? [] : validate('/components/schemas/Error', answer.body, 'body')),
      ...errorProblems(contract['x-errors-elsewhere'], undefined, answer),
    ]
  }
}

interface Received {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
}

function errorProblems(
  known: readonly number[],
  forced: true | undefined,
  { status, headers, body }: Received,
): string[] {
  if (status < 400 || typeof body !== 'object') return []
  const { name, code } = body as ApiError
  const entry = entryByName(name)
  const fitsCatalogue = entry?.code === code && entry.http === status
  const isForced = forced === true && headers.get('mondido-explain')?.includes('service_instructions')
  return [
    ...(fitsCatalogue ? [] : [`${name} ${code} with status ${status} is not in the catalogue`]),
    ...(known.includes(code) || isForced ? [] : [`x-errors lacks ${code} ${name}`]),
  ]
}

/** Compiles schemas of the contract by their pointers, each when it is first needed. */
export function validatorsOf(contract: Contract) {
  const ajv = new Ajv2020({ allErrors: true, strict: true, strictTypes: false, strictRequired: false })
  addFormats.default(ajv)
  // The document holds schemas, and is none itself.
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

/** What fits an address with parameters. Like the gateway's routes it ignores case and slashes at the end. */
function patternOf(path: string): RegExp {
  const source = path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')
  return new RegExp(`^${source}/*$`, 'i')
}

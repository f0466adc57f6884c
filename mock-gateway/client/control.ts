import type { JsonValue } from '../domain/json.ts'
import { type Operations, ROUTES } from './operations.ts'
import { type Fetch, send } from './send.ts'

/** The address of a gateway, and the key that may move its clock. */
export interface Reach {
  /** Such as http://localhost:4400. */
  readonly url: string
  /** The key of `/_control`. */
  readonly controlKey: string
  /** Default: the machine's. */
  readonly fetch: Fetch
}

/** Parameters of a call of the control API. */
export type ControlParameters = Readonly<Record<string, JsonValue | undefined>>

/**
 * Calls the control API.
 * @returns the answer, whose type the caller names
 * @throws RefusedError, NoAnswerError
 */
export type Control = <Answer>(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  parameters?: ControlParameters,
) => Promise<Answer>

/** Time limit of a call in milliseconds. Moving a clock over a year of subscriptions takes long. */
const TIMEOUT_MS = 40_000

/** @param timeout milliseconds for a call */
export function createControl(
  { url, controlKey, fetch }: Reach,
  timeout: number = TIMEOUT_MS,
): Control {
  return async (method, path, parameters = {}) => {
    const address = new URL(`${url}/_control${path}`)
    const isRead = method === 'GET'
    const given = Object.entries({ locale: 'en', ...parameters }).filter(
      ([, value]) => value !== undefined,
    )
    if (isRead) for (const [name, value] of given) address.searchParams.set(name, String(value))
    const headers = {
      'x-control-key': controlKey,
      ...(isRead ? {} : { 'content-type': 'application/json' }),
    }
    const init = {
      method,
      headers,
      body: isRead ? null : JSON.stringify(Object.fromEntries(given)),
    }
    const sending = { fetch, timeout, retries: 2 }
    // Only POST does more if it is done twice.
    const isRepeatable = method !== 'POST'
    const answer = await send(sending, { url: address.href, init, isRepeatable }, {})
    const isJson = answer.headers.get('content-type')?.startsWith('application/json')
    return isJson ? answer.json() : answer.text()
  }
}

/** Calls an operation by its route, such as `DELETE /faults/:id`. */
export function callRoute<Answer>(
  control: Control,
  route: string,
  input: ControlParameters,
): Promise<Answer> {
  const [method, path = ''] = route.split(' ') as [Parameters<Control>[0], string?]
  const sent = { ...input }
  const address = path.replace(/:(\w+)/g, (_colon, name) => {
    const value = String(sent[name] ?? '')
    delete sent[name]
    return encodeURIComponent(value)
  })
  return control(method, address, sent)
}

/** Adds the operations by name, such as `control.faults.inject({ kind: 'drop' })`. */
export function withOperations(control: Control): Control & Operations {
  const subjects: Record<string, Record<string, unknown>> = {}
  for (const [name, route] of Object.entries(ROUTES)) {
    const [subject = '', verb = ''] = name.split('.')
    subjects[subject] = {
      ...subjects[subject],
      [verb]: (input: ControlParameters = {}) => callRoute(control, route, input),
    }
  }
  const call: Control = (method, path, parameters) => control(method, path, parameters)
  return Object.assign(call, subjects as unknown as Operations)
}

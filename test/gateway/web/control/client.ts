import type { ApiError } from '../../../../mock-gateway/contract/wire.ts'
import type { Gateway } from '../../../../mock-gateway/gateway.ts'
import { checkControlAnswer } from '../../../helpers/control-contract.ts'
import { type Answer, encode, type Fields } from '../../../helpers/gateway.ts'

/** Client of the control API that sends its key. */
export interface ControlClient {
  get<Body = ControlAnswer>(
    path: string,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer<Body>>
  post<Body = ControlAnswer>(path: string, fields?: Fields | object): Promise<Answer<Body>>
  put<Body = ControlAnswer>(path: string, fields?: Fields | object): Promise<Answer<Body>>
  delete<Body = ControlAnswer>(path: string): Promise<Answer<Body>>
}

/** Members of all answers, for tests that know which answer they get. */
export interface ControlAnswer extends ApiError {
  readonly [name: string]: unknown
}

/** Creates a client of a gateway's control API. Paths begin after `/_control`. */
export function controlOf({ handle, controlKey = '' }: Gateway): ControlClient {
  async function call<Body>(
    method: string,
    path: string,
    init: { body?: string; headers?: object } = {},
  ) {
    const headers = { 'x-control-key': controlKey, ...init.headers }
    const body = init.body ?? null
    const answer = await handle(
      new Request(`http://localhost:4400/_control${path}`, { method, body, headers }),
    )
    const isJson = answer.headers.get('content-type')?.startsWith('application/json')
    const read = (isJson ? await answer.json() : await answer.text()) as Body
    checkControlAnswer(method, path, answer.status, answer.headers, read)
    return { status: answer.status, headers: answer.headers, body: read }
  }
  const write =
    (method: string) =>
    <Body>(path: string, fields: Fields | object = {}) => {
      const isNested = Object.values(fields).some((value) => typeof value === 'object')
      return call<Body>(method, path, {
        body: isNested ? JSON.stringify(fields) : encode(fields as Fields),
        headers: {
          'content-type': isNested ? 'application/json' : 'application/x-www-form-urlencoded',
        },
      })
    }
  return {
    get: (path, headers = {}) => call('GET', path, { headers }),
    post: write('POST'),
    put: write('PUT'),
    delete: (path) => call('DELETE', path),
  }
}

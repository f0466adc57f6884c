import type { Gateway } from '../../../../mock-gateway/gateway.ts'
import { encode, type Fields, MERCHANT } from '../../../helpers/gateway.ts'

/** Browser of a console user. It stores its cookie, and sends the forms of its open page. */
export interface ConsoleClient {
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<ConsoleAnswer>
  /** Sends a form with the token of the session, unless `fields` contain another token. */
  post(
    path: string,
    fields?: Fields,
    headers?: Readonly<Record<string, string>>,
  ): Promise<ConsoleAnswer>
  /** Fills in the login form, and sends it. */
  logIn(username: string | number, password: string): Promise<ConsoleAnswer>
  /** Returns the cookie that the browser sends, as `name=value`. */
  cookie(): string
  /** Returns the form token of the open page. */
  token(): string
}

export interface ConsoleAnswer {
  readonly status: number
  readonly headers: Headers
  /** Target of the redirect. */
  readonly to: string | null
  readonly html: string
}

/**
 * Opens a browser.
 * @param url configured address of the gateway
 */
export function consoleOf(
  { handle }: Pick<Gateway, 'handle'>,
  url = 'http://localhost:4400',
): ConsoleClient {
  let cookie = ''
  let token = ''
  async function call(path: string, init: RequestInit, headers: Readonly<Record<string, string>>) {
    const answer = await handle(
      new Request(`${url}/console${path}`, {
        ...init,
        headers: { ...(cookie && { cookie }), ...headers },
      }),
    )
    const set = answer.headers.get('set-cookie')?.split(';')[0]
    if (set !== undefined) cookie = set.endsWith('=') ? '' : set
    const html = await answer.text()
    token = /name="form_token" value="([\w-]+)"/.exec(html)?.[1] ?? token
    return {
      status: answer.status,
      headers: answer.headers,
      to: answer.headers.get('location'),
      html,
    }
  }
  const get: ConsoleClient['get'] = (path, headers = {}) => call(path, { method: 'GET' }, headers)
  const post: ConsoleClient['post'] = (path, fields = {}, headers = {}) =>
    call(
      path,
      { method: 'POST', body: encode({ form_token: token, ...fields }) },
      { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    )
  return {
    get,
    post,
    cookie: () => cookie,
    token: () => token,
    async logIn(username, password) {
      const answer = await post('/login', { username, password })
      if (answer.status === 303) await get(answer.to?.replace(/^.*\/console/, '') ?? '')
      if (answer.status === 303) await get(`/${username === 'admin' ? 'merchants' : username}`)
      return answer
    },
  }
}

/** Opens a logged-in browser, by default of the first merchant. */
export async function loggedIn(
  gateway: Gateway,
  username: string | number = 1,
  password = MERCHANT.password,
): Promise<ConsoleClient> {
  const client = consoleOf(gateway)
  const { status } = await client.logIn(username, password)
  if (status !== 303) throw new Error(`${username} is not logged in: ${status}`)
  return client
}

/** Returns the text of a page without tags. */
export const textOf = (html: string): string =>
  html
    .replaceAll('<wbr>', '')
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&#34;', '"')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')

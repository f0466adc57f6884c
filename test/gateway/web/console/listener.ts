import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Message } from '../../../../mock-gateway/web/console/live/audiences.ts'

/** Client of a live stream of the console. */
export interface Listening {
  readonly answer: IncomingMessage
  /** Resolves with the next message. */
  next(): Promise<Message>
  /** Unread messages, when the stream has ended. */
  readonly ended: Promise<readonly string[]>
  leave(): void
}

/** Sends a request with this cookie, and a form if one is given. */
export async function ask(address: string, cookie = '', form?: Readonly<Record<string, string>>) {
  const headers = { cookie, ...(form && { 'content-type': 'application/x-www-form-urlencoded' }) }
  const asked = request(address, { method: form ? 'POST' : 'GET', headers, agent: false })
  asked.end(form && String(new URLSearchParams(form)))
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  return answer
}

/**
 * Logs in.
 * @returns the cookie of the new session
 */
export async function logInAt(url: string, username: string, password: string): Promise<string> {
  const answer = await ask(`${url}/console/login`, '', { username, password })
  answer.resume()
  return answer.headers['set-cookie']?.[0]?.split(';')[0] ?? ''
}

/** Returns the token in the forms of a page. */
export async function formTokenAt(address: string, cookie: string): Promise<string> {
  const page = await text(await ask(address, cookie))
  return /name="form_token" value="([\w-]+)"/.exec(page)?.[1] ?? ''
}

export async function logOutAt(url: string, home: string, cookie: string): Promise<void> {
  const form_token = await formTokenAt(url + home, cookie)
  ;(await ask(`${url}/console/logout`, cookie, { form_token })).resume()
}

export async function listenTo(address: string, cookie: string): Promise<Listening> {
  const answer = await ask(address, cookie)
  const messages: string[] = []
  let onMore = () => {}
  let read = ''
  answer.setEncoding('utf8').on('data', (piece: string) => {
    const blocks = (read + piece).split('\n\n')
    read = blocks.pop() ?? ''
    messages.push(
      ...blocks.filter((block) => block.startsWith('data: ')).map((block) => block.slice(6)),
    )
    onMore()
  })
  return {
    answer,
    async next() {
      while (messages.length === 0) await new Promise<void>((resolve) => (onMore = resolve))
      return JSON.parse(messages.shift() ?? '')
    },
    ended: once(answer, 'close').then(() => messages),
    leave: () => void answer.destroy(),
  }
}

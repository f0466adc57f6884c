import type { IncomingMessage } from 'node:http'
import type { Response } from 'express'
import type { Addresses } from '../../domain/addresses.ts'
import { SESSION_MS } from '../../merchants/sessions.ts'

/** The session cookie, with a name for each gateway, since cookies ignore ports (attack 50). */
export interface SessionCookie {
  /** Returns the token of a request; undefined without one. */
  read(request: IncomingMessage): string | undefined
  set(response: Response, token: string): void
  clear(response: Response): void
}

export function sessionCookie({ base }: Addresses): SessionCookie {
  const { protocol, port } = new URL(base)
  const secure = protocol === 'https:'
  const name = `${secure ? '__Host-' : ''}console${port && `-${port}`}`
  const write = (response: Response, value: string, seconds: number) =>
    response.setHeader(
      'Set-Cookie',
      `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`,
    )
  return {
    read({ headers }) {
      const pair = (headers.cookie ?? '').split('; ').find((each) => each.startsWith(`${name}=`))
      return pair?.slice(name.length + 1) || undefined
    },
    set: (response, token) => write(response, token, SESSION_MS / 1000),
    clear: (response) => write(response, '', 0),
  }
}

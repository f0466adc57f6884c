import type { SessionCookie } from './cookie.ts'
import { sessionCookie } from './cookie.ts'
import type { ConsoleDependencies } from './dependencies.ts'
import { type SendView, viewSender } from './frame.ts'

/** What every part of the console's router works with. */
export interface Console {
  readonly dependencies: ConsoleDependencies
  /** Where the console stands, such as `/console`: addresses of pages begin with it. */
  readonly root: string
  readonly cookie: SessionCookie
  /** Whether there is a control API: pages of clocks, next payments and faults, and an administrator. */
  readonly hasSandbox: boolean
  readonly send: SendView
}

export function openConsole(dependencies: ConsoleDependencies): Console {
  const { addresses, controlKey, render } = dependencies
  const root = `${new URL(addresses.base).pathname.replace(/\/$/, '')}/console`
  const hasSandbox = controlKey !== undefined
  const cookie = sessionCookie(addresses)
  return { dependencies, root, cookie, hasSandbox, send: viewSender(render, root, hasSandbox) }
}

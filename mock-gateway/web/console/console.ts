import type { SessionCookie } from './cookie.ts'
import { sessionCookie } from './cookie.ts'
import type { ConsoleDependencies } from './dependencies.ts'
import { type SendView, viewSender } from './frame.ts'
import { LOCAL_SANDBOX_MENU, SANDBOX_MENU } from './sections.ts'

/** What every part of the console's router works with. */
export interface Console {
  readonly dependencies: ConsoleDependencies
  /** Where the console stands, such as `/console`: addresses of pages begin with it. */
  readonly root: string
  readonly cookie: SessionCookie
  /**
   * Whether there is a control API: pages of clocks, next payments and faults, and an
   * administrator.
   */
  readonly hasSandbox: boolean
  /**
   * Whether merchants set faults and reset their data: on a gateway that only this machine reaches.
   */
  readonly hasLocalSandbox: boolean
  readonly send: SendView
}

export function openConsole(dependencies: ConsoleDependencies): Console {
  const { addresses, controlKey, isLocal } = dependencies
  const root = `${new URL(addresses.base).pathname.replace(/\/$/, '')}/console`
  const hasSandbox = controlKey !== undefined
  const hasLocalSandbox = hasSandbox && isLocal
  const cookie = sessionCookie(addresses)
  const sandbox = { ...(hasSandbox && SANDBOX_MENU), ...(hasLocalSandbox && LOCAL_SANDBOX_MENU) }
  return {
    dependencies,
    root,
    cookie,
    hasSandbox,
    hasLocalSandbox,
    send: viewSender(dependencies, root, sandbox),
  }
}

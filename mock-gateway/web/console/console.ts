import { type SessionCookie, sessionCookie } from './cookie.ts'
import type { ConsoleDependencies } from './dependencies.ts'
import { type SendView, viewSender } from './parts/frame.ts'
import { merchantMenu } from './sections.ts'

/** Dependencies of every part of the console's router. */
export interface Console {
  readonly dependencies: ConsoleDependencies
  /** Path of the console, such as `/console`, the prefix of its pages. */
  readonly root: string
  readonly cookie: SessionCookie
  /**
   * True if there is a control API, with pages of clocks, forced outcomes and faults, and an
   * administrator.
   */
  readonly hasSandbox: boolean
  /**
   * True if merchants may inject faults and reset their data, because only this machine reaches the
   * gateway.
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
  const menu = merchantMenu({ local: hasLocalSandbox })
  return {
    dependencies,
    root,
    cookie,
    hasSandbox,
    hasLocalSandbox,
    send: viewSender(dependencies, root, menu),
  }
}

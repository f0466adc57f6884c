import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { RunVerb } from './verb.ts'

/** `mondido-gateway open`: as the administrator, or with `--merchant` as a merchant. */
export const run: RunVerb = async ({ flags }, { connect, show }) => {
  const { control, owner } = await connect()
  const opened = await control.console.open(owner)
  if (flags.json || flags.print || !(await openInBrowser(opened.url))) show(opened, [opened.url])
  return 0
}

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** @returns false if this machine has nothing that opens an address */
async function openInBrowser(url: string): Promise<boolean> {
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open']
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true })
  child.unref()
  try {
    const [code] = await once(child, 'exit')
    return code === 0
  } catch {
    return false
  }
}

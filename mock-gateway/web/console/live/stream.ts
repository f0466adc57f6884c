import type { Response } from 'express'
import type { ConsolePage, ConsoleVisit, MerchantVisit } from '../visit.ts'

/** Where pages hear that something has changed: a merchant of its own, the administrator of all. */
export const LIVE_PAGE: ConsolePage<MerchantVisit> = {
  path: '/live',
  show: async (visit) => ({ stream: () => open(visit, visit.merchant.id) }),
}

export const LIVE_OF_ALL_PAGE: ConsolePage<ConsoleVisit> = {
  path: '/live',
  show: async (visit) => ({ stream: () => open(visit, 'all') }),
}

/** Server-sent events (HTML, 9.2). An answer without content tells a browser not to come again. */
function open({ response, dependencies, session }: ConsoleVisit, whose: number | 'all'): void {
  const isLoggedIn = async () => (await dependencies.sessions.find(session)) !== undefined
  if (!dependencies.audiences.join(whose, { response, session, isLoggedIn }))
    return void response.status(204).end()
  begin(response)
}

/** Milliseconds after which a browser comes again that was let go. */
const RETRY_MS = 2_000

function begin(response: Response): void {
  response.setHeader('Content-Type', 'text/event-stream')
  response.setHeader('Cache-Control', 'no-store, private')
  // Proxies that gather answers would tell everything late.
  response.setHeader('X-Accel-Buffering', 'no')
  response.write(`retry: ${RETRY_MS}\n\n`)
}

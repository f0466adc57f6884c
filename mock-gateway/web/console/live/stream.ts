import type { ConsolePage, ConsoleVisit } from '../visit.ts'

/** Streams of live updates: for a merchant its own changes, for the administrator all. */
export const LIVE_PAGE: ConsolePage<ConsoleVisit> = {
  path: '/live',
  show: async (visit) => () => open(visit),
}

/**
 * Opens a stream of server-sent events (HTML, 9.2). A response without content tells a browser not
 * to reconnect.
 */
function open({ response, dependencies, session, merchant }: ConsoleVisit): void {
  const isLoggedIn = async () => (await dependencies.sessions.find(session)) !== undefined
  if (!dependencies.audiences.join(merchant?.id ?? 'all', { response, session, isLoggedIn }))
    return void response.status(204).end()
  response.setHeader('Content-Type', 'text/event-stream')
  response.setHeader('Cache-Control', 'no-store, private')
  // Prevents proxies from buffering the stream.
  response.setHeader('X-Accel-Buffering', 'no')
  response.write(`retry: ${RETRY_MS}\n\n`)
}

/** Milliseconds before a disconnected browser reconnects. */
const RETRY_MS = 2_000

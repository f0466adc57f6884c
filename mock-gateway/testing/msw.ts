import { type HttpHandler, http } from 'msw'
import type { TestGateway } from '../testing.ts'

/**
 * Creates msw handlers that answer requests to the gateway's address from a gateway in this
 * process. The program under test keeps the address that it has in production.
 * @example
 * import { createHandlers } from 'mondido-gateway/testing/msw'
 * import { startGateway } from 'mondido-gateway/testing'
 * import { setupServer } from 'msw/node'
 *
 * const gateway = await startGateway({ address: 'https://api.pay.example' })
 * const server = setupServer(...createHandlers(gateway))
 * server.listen()
 * console.log((await fetch('https://api.pay.example/')).status) // 200
 * server.close()
 * await gateway.close()
 */
export const createHandlers = ({
  url,
  fetch,
}: Pick<TestGateway, 'url' | 'fetch'>): HttpHandler[] => [
  http.all(`${url}/*`, ({ request }) => fetch(request)),
]

import { once } from 'node:events'
import { createServer, Server as HttpServer, type RequestListener } from 'node:http'
import type { AddressInfo, Server } from 'node:net'

/** Server of a test, like a shop or a file on its own origin. */
export interface OwnServer {
  readonly url: string
  readonly port: number
  /** Cuts the connections of an HTTP server, and closes the port. */
  close(): Promise<void>
}

/** Makes a server listen on a free port. */
export async function listen(server: Server, host = '127.0.0.1'): Promise<OwnServer> {
  await once(server.listen(0, host), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${host}:${port}`,
    port,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      if (server instanceof HttpServer) server.closeAllConnections()
      await closed
    },
  }
}

/** Starts an HTTP server on a free port. */
export const serve = (listener: RequestListener): Promise<OwnServer> =>
  listen(createServer(listener))

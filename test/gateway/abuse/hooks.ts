import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Answers of a shop's server to a webhook, by path. */
const TAKES: Readonly<Record<string, (response: ServerResponse) => void>> = {
  '/taken': (response) => response.end('ok'),
  '/empty': (response) => response.writeHead(204).end(),
  '/failing': (response) => response.writeHead(500).end('{"error":"\0"}'),
  '/refusing': (response) => response.writeHead(404).end(),
  '/busy': (response) => response.writeHead(503, { 'retry-after': '1' }).end(),
  '/elsewhere': (response) =>
    response.writeHead(302, { location: 'http://elsewhere.example/' }).end(),
  '/cut': (response) => void response.destroy(),
  '/half': (response) =>
    void response
      .writeHead(200, { 'content-length': '10' })
      .write('half', () => response.destroy()),
  '/long': (response) => response.end('x'.repeat(300_000)),
  '/late': (response) => void setTimeout(() => response.end(), 50).unref(),
}

/**
 * Starts the receiver, which does not keep the process alive.
 * @returns the addresses at which it accepts webhooks
 */
export async function openHooks(): Promise<readonly string[]> {
  const server = createServer((request, response) => {
    request.resume()
    request.once('end', () => (TAKES[request.url ?? ''] ?? TAKES['/refusing'])?.(response))
  })
  server.listen(0, '127.0.0.1').unref()
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return Object.keys(TAKES).map((path) => `http://127.0.0.1:${port}${path}`)
}

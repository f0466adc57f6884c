import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * Both loopback addresses: `localhost` is either of them, by client (Node 17 to 19 and .NET use ::1
 * first).
 */
const LOOPBACK = ['127.0.0.1', '::1']

/** Errors of an address that the machine does not have, such as ::1 without IPv6. */
const MISSING = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT'])

/** Attempts to find a port that is free on both addresses. */
const MOST_ATTEMPTS = 20

/** Opens a port of one address. Tests replace it. */
type Open = (server: Server, port: number, address: string) => Promise<unknown>

const openAddress: Open = (server, port, address) => once(server.listen(port, address), 'listening')

/**
 * Opens a port: on both loopback addresses if the host is one of them or `localhost`, on one if the
 * machine lacks the other.
 * @param port 0 chooses a free port, the same on both addresses
 * @param createServer called once for each address
 * @returns the servers that listen, at least one
 * @throws the system's error, such as EADDRINUSE, if the port cannot be opened
 */
export async function openPort(
  host: string,
  port: number,
  createServer: () => Server,
  open = openAddress,
): Promise<readonly [Server, ...Server[]]> {
  const addresses = host === 'localhost' || LOOPBACK.includes(host) ? LOOPBACK : [host]
  for (let attempt = 1; ; attempt++) {
    const servers: Server[] = []
    let missing: unknown
    try {
      for (const address of addresses) {
        const server = createServer()
        await open(server, servers[0] ? getPort(servers[0]) : port, address).then(
          () => servers.push(server),
          (error: NodeJS.ErrnoException) => {
            if (!MISSING.has(error.code ?? '')) throw error
            missing = error
          },
        )
      }
      const [first, ...others] = servers
      if (first) return [first, ...others]
    } catch (error) {
      for (const server of servers) server.close()
      const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
      if (!(isTaken && port === 0 && attempt < MOST_ATTEMPTS)) throw error
      continue
    }
    throw missing
  }
}

/** Returns the port on which a server listens. */
export const getPort = (server: Server): number => (server.address() as AddressInfo).port

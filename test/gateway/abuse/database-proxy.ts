import { EventEmitter, once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Proxy between a gateway and its PostgreSQL server that fails like networks and servers. */
export interface DatabaseProxy {
  /** Address of the database through the proxy. */
  readonly url: string
  /**
   * Holds back all bytes in both directions from now on. Connections stay open, and new ones are
   * accepted.
   */
  freeze(): void
  /** Resolves when the proxy holds back data of the gateway on this number of connections. */
  held(connections: number): Promise<void>
  /** Sends all held data, and passes new data again. */
  thaw(): void
  /** Cuts every connection, and accepts no new ones. */
  down(): Promise<void>
  /** Accepts connections again, at the same address. */
  up(): Promise<void>
}

/**
 * Starts a proxy, which the caller closes.
 * @param url address of the database itself
 */
export async function databaseProxy(url: string): Promise<DatabaseProxy> {
  const { hostname, port } = new URL(url)
  const sockets = new Set<Socket>()
  /** Data that are held back, by their receiver. */
  const kept = new Map<Socket, Buffer[]>()
  /** Connections of the gateway that have sent something since the proxy was frozen. */
  const fromGateway = new Set<Socket>()
  const news = new EventEmitter()
  let frozen = false

  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('data', (bytes) => {
        if (!frozen) return void to.write(bytes)
        kept.set(to, [...(kept.get(to) ?? []), bytes])
        if (from === near) fromGateway.add(from)
        news.emit('held')
      })
      from.on('error', () => {})
      from.on('close', () => {
        sockets.delete(from)
        kept.delete(from)
        to.destroy()
      })
    }
  })
  const listen = async (at: number) => {
    server.listen(at, '127.0.0.1')
    await once(server, 'listening')
  }
  await listen(0)
  const own = (server.address() as AddressInfo).port
  const through = new URL(url)
  through.host = `127.0.0.1:${own}`
  return {
    url: through.href,
    freeze() {
      frozen = true
    },
    async held(connections) {
      while (fromGateway.size < connections) await once(news, 'held')
    },
    thaw() {
      frozen = false
      fromGateway.clear()
      for (const [to, pieces] of kept) to.write(Buffer.concat(pieces))
      kept.clear()
    },
    async down() {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
    async up() {
      if (!server.listening) await listen(own)
    },
  }
}

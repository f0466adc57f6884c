import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Stands between a gateway and its PostgreSQL server, and fails as networks and servers do. */
export interface DatabaseProxy {
  /** Address of the database through the proxy. */
  readonly url: string
  /** From now on no byte passes, in either direction; connections stay open, and new ones are taken. */
  freeze(): void
  /** Lets everything pass that was held back. */
  thaw(): void
  /** Cuts every connection and takes no more. */
  down(): Promise<void>
  /** Takes connections again, at the same address. */
  up(): Promise<void>
}

/** @param url of the database itself. Its maker takes it down. */
export async function databaseProxy(url: string): Promise<DatabaseProxy> {
  const { hostname, port } = new URL(url)
  const sockets = new Set<Socket>()
  let frozen = false

  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('data', (bytes) => void to.write(bytes))
      from.on('error', () => {})
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
      if (frozen) from.pause()
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
      for (const socket of sockets) socket.pause()
    },
    thaw() {
      frozen = false
      for (const socket of sockets) socket.resume()
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

import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * Range of ports below the ports that systems assign, so that another test does not get the port
 * between this check and its use.
 */
const [LOWEST, HIGHEST] = [20_000, 30_000]

/** Returns a TCP port on loopback that was free a moment ago. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST)
    if (await isFree(port)) return port
  }
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { TestGateway } from '../../helpers/gateway.ts'

/** State of the disk: if `isFull`, files cannot be read. */
const disk = vi.hoisted(() => ({ isFull: false }))

// Fails like a read when all descriptors are in use.
vi.mock(import('node:fs/promises'), async (load) => {
  const real = await load()
  const refusing = (read: (...args: never[]) => unknown) =>
    (async (...args: never[]) => {
      if (!disk.isFull) return read(...args)
      throw Object.assign(new Error('EMFILE: too many open files'), {
        code: 'EMFILE',
        syscall: 'open',
      })
    }) as never
  return {
    ...real,
    readFile: refusing(real.readFile as never),
    readdir: refusing(real.readdir as never),
  }
})

let shop: TestGateway
// A process caches files that its first gateway has read, so each test loads the module again.
beforeEach(async () => {
  vi.resetModules()
  const { startGateway } = await import('../../helpers/gateway.ts')
  shop = await startGateway()
})
afterEach(() => shop.close())

for (const path of [
  '/docs',
  '/openapi.json',
  '/v2/mondido.js?merchant_id=1',
  '/v1/form/x',
  '/assets/x.css',
])
  test(`an unreadable file for ${path} gives status 503, which is not cached, and is read again the next time`, async () => {
    const ask = () => shop.gateway.handle(new Request(`http://localhost:4400${path}`))
    disk.isFull = true
    const refused = await ask()
    disk.isFull = false
    expect([refused.status, refused.headers.get('cache-control')]).toEqual([
      503,
      'no-store, private',
    ])
    expect(refused.headers.get('mondido-explain')).toContain('EMFILE')
    expect(await refused.text()).toContain('errors.service_not_available')
    expect([200, 404]).toContain((await ask()).status)
  })

import { createServer, type Server } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { getPort, openPort } from '../../../../mock-gateway/web/http/open-port.ts'

const opened: Server[] = []
afterEach(() => {
  for (const server of opened.splice(0)) server.close()
})
const open = async (...[host, port, find]: [string, number, Parameters<typeof openPort>[3]?]) => {
  const servers = await openPort(host, port, () => createServer((_, r) => r.end('here')), find)
  opened.push(...servers)
  return servers
}

/** Opens ports, and fails with these errors at some calls, by their number or address. */
const failing = (errors: Readonly<Record<string, string>>) => {
  let calls = 0
  return async (server: Server, port: number, address: string) => {
    calls += 1
    const code = errors[calls] ?? errors[address]
    if (code) throw Object.assign(new Error(code), { code })
    // The address of the other family may be missing on the machine of this test.
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  }
}

test.for(['127.0.0.1', '::1', 'localhost'])('%s opens one port on both addresses', async (host) => {
  const [first] = await open(host, 0)
  for (const address of ['127.0.0.1', '[::1]']) {
    const answer = await fetch(`http://${address}:${getPort(first)}`)
    expect(await answer.text(), address).toBe('here')
  }
})

test.for(['127.0.0.1', '::1'])('%s may be missing', async (address) => {
  expect(await open('localhost', 0, failing({ [address]: 'EADDRNOTAVAIL' }))).toHaveLength(1)
  await expect(
    open('localhost', 0, failing({ '127.0.0.1': 'EAFNOSUPPORT', '::1': 'EAFNOSUPPORT' })),
  ).rejects.toThrow('EAFNOSUPPORT')
})

test('a port that is taken on one address is replaced only if it was free to choose', async () => {
  expect(await open('localhost', 0, failing({ 2: 'EADDRINUSE', 4: 'EADDRNOTAVAIL' }))).toHaveLength(
    1,
  )
  const [taken] = await open('localhost', 0)
  await expect(open('localhost', getPort(taken))).rejects.toThrow('EADDRINUSE')
})

import { X509Certificate } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { keptCertificate } from '../../../mock-gateway/cli/certificate.ts'

const NOW = Date.UTC(2026, 0, 1)
const DAY = 24 * 60 * 60 * 1000
const HOSTS = ['localhost', '::1', 'pay.shop.test']

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'certificate-'))
})
afterEach(() => rm(folder, { recursive: true }))

const kept = (hosts = HOSTS, now = NOW) => keptCertificate(folder, hosts, now)

test('a certificate is valid from yesterday for less than the 825 days that Apple allows', async () => {
  const { validFrom, validTo } = new X509Certificate((await kept()).cert)
  expect(Date.parse(validFrom)).toBe(NOW - DAY)
  expect(Date.parse(validTo)).toBe(NOW + 800 * DAY)
})

test('a stored certificate is used again, also for fewer hosts', async () => {
  const first = await kept()
  expect(await kept()).toEqual(first)
  expect(await kept(['localhost'])).toEqual(first)
})

test.each([
  ['there is another name', () => kept([...HOSTS, 'api.shop.test'])],
  ['there is another address', () => kept([...HOSTS, '192.0.2.1'])],
  ['it ends within a month', () => kept(HOSTS, NOW + 771 * DAY)],
  [
    'it was spoiled',
    async () => {
      await writeFile(join(folder, 'certificate.pem'), 'nothing')
      return kept()
    },
  ],
] as const)('it is created again when %s', async (_why, again) => {
  const first = await kept()
  expect((await again()).cert).not.toBe(first.cert)
})

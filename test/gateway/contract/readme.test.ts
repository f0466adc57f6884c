import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEFAULT_MERCHANT } from '../../../mock-gateway/gateway.ts'
import { startGateway, type TestGateway } from '../../helpers/gateway.ts'
import { paste } from './curl.ts'

const README = readFileSync(fileURLToPath(new URL('../../../README.md', import.meta.url)), 'utf8')
const ROWS = [...README.matchAll(/^\| ([^|]+) \| `(curl [^`]+)` \|$/gm)]

const { id, password, secret } = DEFAULT_MERCHANT

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startGateway({ merchants: [{ id, password, secret }] })
})
afterAll(() => gateway.close())

describe('every command of the README, pasted one after the other on a new gateway', () => {
  test('is a row of its table', () => expect(ROWS.length).toBeGreaterThan(25))

  for (const [, call = '', command = ''] of ROWS)
    test(call, async () => {
      const { status, body } = await paste(command, gateway)
      expect({ status, body }).toMatchObject({ status: 200 })
    })
})

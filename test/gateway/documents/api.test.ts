import { describe, expect, test } from 'vitest'
import { DEFAULT_MERCHANT } from '../../../mock-gateway/gateway.ts'
import { callsOf } from '../../../mock-gateway/web/docs/contract.ts'
import { readContract } from '../../helpers/contract.ts'
import { blocksOf, read } from '../../helpers/documents.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'
import { paste } from '../contract/curl.ts'

/** Rows such as "| GET /v1/plans: purpose | `curl …` |". */
const ROWS = [
  ...read('docs/reference/api.md').matchAll(
    /^\| ((?:GET|POST|PUT|DELETE) [^ :|]+)([^|]*) \| `([^`]+)` \|$/gm,
  ),
].map(([, call = '', purpose = '', command = '']) => ({ call, title: call + purpose, command }))

const { id, password, secret } = DEFAULT_MERCHANT

const gateway = await sharedGateway({
  merchants: [{ id, password, secret }],
  library: import.meta.filename,
})

test('docs/reference/api.md has a row for every call of the contract that can succeed, and no other row', () => {
  // The text above the table names other addresses of the same call. Browsers send OPTIONS
  // themselves.
  const calls = callsOf(readContract())
  const first = new Map(calls.toReversed().map(({ pointer, ...call }) => [pointer, call]))
  const called = [...first.values()].filter(
    ({ method, operation }) =>
      method !== 'options' && Object.keys(operation.responses).some((status) => status < '400'),
  )
  const names = called.map(({ method, path }) => `${method.toUpperCase()} ${path}`)
  expect([...new Set(ROWS.map(({ call }) => call))].sort()).toEqual(names.sort())
})

describe('every command of docs/reference/api.md works when they are pasted in order on a new gateway:', () => {
  for (const { call, title, command } of ROWS)
    test(title, async () => {
      // These calls redirect the payer's browser. The message of the bank's page gets an empty
      // answer.
      const isSentOn = /^(POST \/v1\/(form|mpi_js$)|GET \/v1\/acs\/payment)/.test(call)
      const success = isSentOn ? 303 : call.endsWith('/page') ? 204 : 200
      const { status, body } = await paste(command, gateway.browser)
      expect({ status, body }).toMatchObject({ status: success })
    })
})

test('the payment at the beginning is approved', async () => {
  const command = blocksOf('docs/reference/api.md').find(({ code }) => code.startsWith('curl'))
  const { body } = await paste(command?.code.trim() ?? '', gateway.browser)
  expect(body).toMatchObject({ payment_ref: 'A100', status: 'approved' })
})

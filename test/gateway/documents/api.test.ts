import { expect, test } from 'vitest'
import { DEFAULT_MERCHANT } from '../../../mock-gateway/gateway.ts'
import { callsOf, part } from '../../../mock-gateway/web/docs/contract.ts'
import { readContract } from '../../helpers/contract.ts'
import { blocksOf, read } from '../../helpers/documents.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'
import { paste } from '../contract/curl.ts'

test('docs/reference/api.md lists every call with a login', () => {
  const text = read('docs/reference/api.md')
  const calls = callsOf(readContract()).filter(
    ({ operation, path, pointer }) =>
      operation.security === undefined && pointer.startsWith(`/paths${part(path)}/`),
  )
  expect(calls.length).toBeGreaterThan(20)
  // A client of old sends a capture without an id.
  const paths = calls.map(({ path }) => path).filter((path) => !path.includes('//'))
  expect(paths.filter((path) => !text.includes(path))).toEqual([])
})

test('the payment at the beginning of docs/reference/api.md is approved', async () => {
  const { id, password, secret } = DEFAULT_MERCHANT
  const gateway = await sharedGateway({ merchants: [{ id, password, secret }] })
  const command = blocksOf('docs/reference/api.md').find(({ code }) => code.startsWith('curl'))
  const { body } = await paste(command?.code.trim() ?? '', gateway.browser)
  expect(body).toMatchObject({ payment_ref: 'A100', status: 'approved' })
})

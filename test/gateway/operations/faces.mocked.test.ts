import { expect, test } from 'vitest'
import { z } from 'zod'
import { generateOperations, writeOperationRows } from '../../../build/contract-types/operations.ts'
import { describe as describeCommand } from '../../../mock-gateway/cli/verbs/do.ts'
import { VERBS } from '../../../mock-gateway/cli/verbs/table.ts'
import type { Verb } from '../../../mock-gateway/cli/verbs/verb.ts'
import { operation } from '../../../mock-gateway/operations/operation.ts'
import { getOperation, SUBJECTS } from '../../../mock-gateway/operations/table.ts'
import { createControlDocument } from '../../../mock-gateway/web/control/document.ts'
import {
  at,
  type Contract,
  listCalls,
  type RequestBody,
} from '../../../mock-gateway/web/docs/contract.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'
import { loggedIn, textOf } from '../web/console/client.ts'
import { controlOf } from '../web/control/client.ts'

/** An operation that only this test adds. */
SUBJECTS.push({
  title: 'Extra',
  about: 'Added by a test.',
  operations: [
    operation({
      name: 'faults.count',
      route: 'GET /faults/count',
      does: 'Counts the active faults',
      whose: 'any',
      input: z.object({
        kind: z
          .enum(['drop', 'latency'])
          .optional()
          .meta({ description: 'Only faults of this kind.' }),
      }),
      output: z.object({ count: z.int() }),
      async run({ faults, merchantId }, { kind }) {
        const found = await faults.list(merchantId)
        return { count: found.filter((fault) => (kind ?? fault.kind) === fault.kind).length }
      },
    }),
  ],
})

const KEY = 'a-key-of-our-own'
const shop = await sharedGateway({ control: KEY })

test('the document lists every field of every operation', () => {
  const document = createControlDocument() as Contract
  for (const { operation: each, parameters, pointer } of listCalls(document)) {
    const body = each.requestBody && at<RequestBody>(document, `${pointer}/requestBody`).value
    const sent = body?.content['application/json']?.schema.properties
    const names = [...parameters.map(({ name }) => name), ...Object.keys(sent ?? {})]
    const { input, whose } = getOperation(each.operationId)
    const owner = whose === 'none' ? [] : ['merchant_id']
    expect(names.sort()).toEqual([...Object.keys(input.shape), ...owner].sort())
  }
})

test('an added operation is a route that matches its document, and explains mistakes', async () => {
  const control = controlOf(shop.gateway)
  await control.post('/faults', { kind: 'drop' })
  expect((await control.get('/faults/count')).body).toEqual({ count: 1 })
  expect((await control.get('/faults/count?kind=latency')).body).toEqual({ count: 0 })
  const wrong = await control.get('/faults/count?kid=drop')
  expect([wrong.status, wrong.body.code]).toEqual([400, 253])
  expect(wrong.headers.get('mondido-explain')).toContain('Did you mean kind?')
})

test('an added operation has a form in the console, with its answer, and the mistake next to its field', async () => {
  const administrator = await loggedIn(shop.gateway, 'admin', KEY)
  const page = await administrator.get('/operations/faults.count')
  expect(page.html).toContain('Only faults of this kind.')
  const done = await administrator.post('/operations/faults.count', { kind: 'latency' })
  expect(textOf(done.html)).toContain('"count": 0')
  const wrong = await administrator.post('/operations/faults.count', { kind: 'fire' })
  expect(wrong.html).toMatch(/id="wrong-faults-count-kind"[^>]*>kind must be one of drop, latency/)
})

test('the console lists what is switched on, and switches everything off with one button', async () => {
  const administrator = await loggedIn(shop.gateway, 'admin', KEY)
  await controlOf(shop.gateway).post('/faults', { kind: 'drop', times: 2, path: '/v1/none' })
  const words = async () => textOf((await administrator.get('/operations')).html)
  expect(await words()).toMatch(/[1-9] faults/)
  await administrator.post('/operations/sandbox.normal')
  expect(await words()).not.toMatch(/\d faults?/)
})

test('an added operation is a command, a tool, a call of the typed client and a row of the documents', async () => {
  const { TOOLS } = await import('../../../mock-gateway/cli/mcp/tools.ts')
  const command = describeCommand(VERBS.do as Verb, 'faults.count')
  expect(command.flags.kind?.help).toBe('drop, latency. Only faults of this kind.')
  expect(TOOLS.control?.description).toContain('faults.count(kind?): Counts the active faults.')
  expect(generateOperations()).toContain(
    "count(input?: { readonly kind?: 'drop' | 'latency' | undefined; readonly merchant_id?: number | undefined })",
  )
  expect(writeOperationRows()).toContain('| `faults.count` | `GET /faults/count` |')
})

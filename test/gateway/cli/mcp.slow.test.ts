import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TOOLS } from '../../../mock-gateway/cli/mcp/tools.ts'
import { requestHash } from '../../../mock-gateway/domain/order/hash.ts'
import { DEFAULT_MERCHANT } from '../../../mock-gateway/gateway.ts'
import { inRepository, read } from '../../helpers/documents.ts'
import { GATEWAY_PROGRAM, programEnv } from '../../helpers/program.ts'

let assistant: Client
beforeAll(async () => {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = programEnv()
  assistant = new Client({ name: 'a test', version: '1' })
  const command = { command: process.execPath, args: [inRepository(GATEWAY_PROGRAM), 'mcp'] }
  await assistant.connect(
    new StdioClientTransport({ ...command, env: { PATH, NODE_COMPILE_CACHE } }),
  )
})
afterAll(() => assistant.close())

/** Returns the answer of a tool, parsed from its text. */
async function ask(name: string, input: Readonly<Record<string, unknown>> = {}) {
  const { content, isError } = await assistant.callTool({ name, arguments: input })
  const [first] = content as readonly { readonly text: string }[]
  return { isError: isError ?? false, answer: JSON.parse(first?.text ?? 'null') }
}

test('the documentation lists all tools', async () => {
  const { tools } = await assistant.listTools()
  expect(tools.map(({ name }) => name)).toEqual(Object.keys(TOOLS))
  const [, mcp = ''] = read('docs/reference/command.md').split('## mcp')
  const told = [...mcp.matchAll(/^\| `(\w+)` \| (?!addresses|the )/gm)].map(([, name]) => name)
  expect(told).toEqual(Object.keys(TOOLS))
})

test('the assistant can explain why a hash was rejected', async () => {
  const { id, secret } = DEFAULT_MERCHANT
  const order = { payment_ref: 'A100', amount: '10.00', currency: 'sek', test: true }
  const hash = requestHash(
    { ...order, merchantId: String(id), paymentRef: 'A100', customerRef: '', amount: '10' },
    secret,
  )
  const refused = await ask('call', {
    operation: 'createTransaction',
    parameters: { ...order, hash },
  })
  expect(refused).toMatchObject({
    isError: true,
    answer: { error: 'errors.hash.invalid', code: 107 },
  })
  const { answer } = await ask('explain_last_refusal')
  expect(answer).toMatchObject({
    error: 'errors.hash.invalid',
    route: '/v1/transactions',
    explain: expect.any(String),
  })
  expect((await ask('hash_doctor', { ...order, hash })).answer.wrong).toEqual([
    'The amount was hashed without decimals. Hash it as it is sent, with two decimals.',
  ])
  const right = requestHash(
    { ...order, merchantId: String(id), paymentRef: 'A100', customerRef: '' },
    secret,
  )
  expect((await ask('hash_doctor', { ...order, hash: right })).answer).toMatchObject({
    wrong: [],
    note: expect.stringMatching(/^The hash is right/),
  })
})

describe('an invalid call is reported, and the server continues', () => {
  test.each([
    ['a decline', 'pay', { card_cvv: '201' }, /errors\.payment\.declined/],
    [
      'an unknown outcome',
      'control',
      { operation: 'payments.force', input: { outcome: 'maybe' } },
      /253/,
    ],
    ['an unknown payment', 'story', { transaction_id: 999_999 }, /128/],
    ['an argument of the wrong kind', 'story', { transaction_id: 'x' }, /transaction_id/],
    ['an unknown call', 'call', { operation: 'dropTables' }, /operation/],
  ])('%s', async (_what, name, input, text) => {
    const { content, isError } = await assistant.callTool({ name, arguments: input })
    expect(isError).toBe(true)
    expect(JSON.stringify(content)).toMatch(text)
  })

  test('the assistant can list deliveries', async () => {
    expect((await ask('deliveries', { status: 'dead' })).answer).toEqual([])
  })
})

import { mkdir, mkdtemp, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { TOOLS } from '../../../mock-gateway/cli/mcp/tools.ts'
import { runVerb } from '../../../mock-gateway/cli/verbs/run.ts'
import { requestHash } from '../../../mock-gateway/domain/order/hash.ts'
import { DEFAULT_MERCHANT } from '../../../mock-gateway/gateway.ts'
import { inRepository, read } from '../../helpers/documents.ts'
import { GATEWAY_PROGRAM, programEnv, runGatewayIn } from '../../helpers/program.ts'

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
  const { answer } = await ask('explain_last_rejection')
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

describe('instructions for agents', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'agent-'))
    onTestFinished(() => rm(folder, { recursive: true }))
  })

  const runAgent = async (status = 0) => {
    vi.spyOn(process, 'cwd').mockReturnValue(folder)
    const printed: string[] = []
    const running = runVerb('agent', [], {}, (text) => printed.push(text))
    expect(await running.finally(() => vi.restoreAllMocks())).toBe(status)
    return `${printed.join('\n')}\n`
  }
  const textOf = (path: string) => readFile(join(folder, path), 'utf8')
  const jsonOf = async (path: string) => JSON.parse(await textOf(path))

  async function write(path: string, text: string) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }

  const SERVER = { command: 'npx', args: ['mondido-gateway', 'mcp'] }
  const SKILL = '.claude/skills/mondido-gateway/SKILL.md'

  test('agent writes the files for the usual assistants into an empty folder', async () => {
    expect(await runGatewayIn(folder, ['agent'])).toBe(
      `.mcp.json: written\n.cursor/mcp.json: written\n.vscode/mcp.json: written\n${SKILL}: written\nAGENTS.md: written\n`,
    )
    const list = { mcpServers: { 'mondido-gateway': SERVER } }
    expect(await jsonOf('.mcp.json')).toEqual(list)
    expect(await jsonOf('.cursor/mcp.json')).toEqual(list)
    expect(await jsonOf('.vscode/mcp.json')).toEqual({
      servers: { 'mondido-gateway': { type: 'stdio', ...SERVER } },
    })
    expect(await textOf('AGENTS.md')).toContain(SKILL)
  })

  test('agent extends existing files, and a second run changes nothing', async () => {
    const other = { mcpServers: { other: { command: 'other' } }, more: 1 }
    await write('.mcp.json', JSON.stringify(other))
    expect(await runAgent()).toContain('.mcp.json: extended')
    expect(await jsonOf('.mcp.json')).toEqual({
      ...other,
      mcpServers: { ...other.mcpServers, 'mondido-gateway': SERVER },
    })
    const before = await textOf('.mcp.json')
    const lines = (await runAgent()).trim().split('\n')
    expect(lines).toHaveLength(5)
    expect(lines.filter((line) => !line.endsWith(': is complete'))).toEqual([])
    expect(await textOf('.mcp.json')).toBe(before)
  })

  test.each([
    ['.vscode/mcp.json', '// servers\n{ "servers": {} }', 'add to "servers": {"mondido-gateway":'],
    ['.mcp.json', '{ "mcpServers": [] }', 'add to "mcpServers": {"mondido-gateway":'],
    [SKILL, 'My own skill', 'add the changes of '],
    ['AGENTS.md', 'Be kind.', 'add the line: For card payments, read '],
  ])('agent leaves %s unchanged, and prints the text to add', async (path, text, add) => {
    await write(path, text)
    expect(await runAgent()).toContain(`${path}: ${add}`)
    expect(await textOf(path)).toBe(text)
  })

  test('agent leaves a folder and a link that leads to nothing as they are, and exits with status 1', async () => {
    await mkdir(join(folder, '.mcp.json'))
    await symlink('elsewhere.md', join(folder, 'AGENTS.md'))
    const printed = await runAgent(1)
    expect(printed).toContain('.mcp.json: not written, because it is a folder\n')
    expect(printed).toContain('AGENTS.md: not written, because a file with this name exists\n')
    expect(printed).toContain('.vscode/mcp.json: written\n')
    expect(await readlink(join(folder, 'AGENTS.md'))).toBe('elsewhere.md')
    await expect(textOf('elsewhere.md')).rejects.toThrow('ENOENT')
  })
})

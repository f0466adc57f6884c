import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Transaction } from '../../../mock-gateway/contract/wire.ts'
import { DEFAULT_MERCHANT } from '../../../mock-gateway/merchants/seed.ts'
import { createChecker } from '../../helpers/contract.ts'
import { type Client, clientOver, payment } from '../../helpers/gateway.ts'
import { type Program, programEnv, startProgram } from '../../helpers/program.ts'

/** Lines of a field that requests send, in the two files that have to name it. */
const ADDED_LINES = {
  'storage/tables/transactions.ts': [
    [
      '  vat_amount: sent(',
      "  sales_channel: sent(listed(nullable(text())), { kind: 'text', characters: 20 }),",
    ],
  ],
  'contract/openapi.yaml': [
    // A parameter, its place in `payment_request`, and a member of the answer.
    [
      '        vat_amount: { type: string',
      '        sales_channel: { type: string, maxLength: 20 }',
    ],
    ['              merchant_id, amount, vat_amount,', '              sales_channel,'],
    ['        vat_amount: { oneOf', "        sales_channel: { $ref: '#/components/schemas/Text' }"],
  ],
} as const

/** Sources of the gateway and of the program that generates its types. */
const COPIED = [
  'mock-gateway',
  'sdk',
  'build',
  'docs/reference',
  'package.json',
  'biome.json',
  '.gitignore',
]

const CONTRACT = 'mock-gateway/contract/openapi.json'

/** Answers are checked against the contract of the copy instead of the contract of the project. */
const { unchecked } = fetch as typeof fetch & { readonly unchecked: typeof fetch }

const root = join(import.meta.dirname, '../../..')
let copy: string
let program: Program
let shop: Client

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'added-field-'))
  const isSource = (path: string) => !/\/(?:dist|node_modules)$/.test(path)
  for (const path of COPIED)
    await cp(join(root, path), join(copy, path), { recursive: true, filter: isSource })
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'))
  for (const [path, lines] of Object.entries(ADDED_LINES))
    await addLines(join(copy, 'mock-gateway', path), lines)
  const generate = ['build/contract-types.ts']
  await promisify(execFile)(process.execPath, generate, { cwd: copy, env: programEnv() })
  const args = ['mock-gateway/cli.ts', '--memory', '--port', '0']
  program = startProgram('--conditions=source', args, {}, process.execPath, copy)
  await program.printed(/^ {2}Merchant/)
  const [, base = ''] = /REST API +(\S+)\/v1/.exec(program.output()) ?? []
  const check = createChecker(JSON.parse(await readFile(join(copy, CONTRACT), 'utf8')))
  const send = async (request: Request) => {
    const { method, url } = request
    const { pathname, search } = new URL(url)
    const answer = await unchecked(new Request(new URL(pathname + search, base), request))
    check(method, url, answer.status, answer.headers, await answer.clone().json())
    return answer
  }
  const { id, password, secret } = DEFAULT_MERCHANT
  shop = clientOver(send, { id, password, secret })
})

afterAll(async () => {
  await program?.stop()
  await rm(copy, { recursive: true })
})

/** Inserts each line in front of the first line that begins as given. */
async function addLines(
  file: string,
  lines: readonly (readonly [before: string, line: string])[],
): Promise<void> {
  let source = await readFile(file, 'utf8')
  for (const [before, line] of lines) {
    expect(source).toContain(`\n${before}`)
    source = source.replace(`\n${before}`, `\n${line}\n${before}`)
  }
  await writeFile(file, source)
}

describe('a field that two files add', () => {
  test('is accepted, stored and returned', async () => {
    const { body } = await shop.post('/v1/transactions', payment({ sales_channel: 'booth' }))
    expect(body).toMatchObject({
      status: 'approved',
      sales_channel: 'booth',
      payment_request: { sales_channel: 'booth' },
    })
    expect((await shop.get(`/v1/transactions/${body.id}`)).body).toMatchObject({
      sales_channel: 'booth',
    })
  })

  test('is null in a transaction whose request does not send it', async () =>
    expect((await shop.post('/v1/transactions', payment())).body).toMatchObject({
      sales_channel: null,
    }))

  test('can be changed, and filters and orders a list', async () => {
    const { body } = await shop.post(
      '/v1/transactions',
      payment({ process: false, success_url: 'https://a.example', error_url: 'https://a.example' }),
    )
    await shop.put(`/v1/transactions/${body.id}`, { process: false, sales_channel: 'kiosk' })
    const { body: listed } = await shop.get<Transaction[]>('/v1/transactions', {
      'filter[sales_channel]': 'kio*',
      order_by: 'sales_channel',
    })
    expect(listed.map(({ id }) => id)).toEqual([body.id])
  })

  test('is rejected if it is longer than its limit', async () =>
    expect(
      (await shop.post('/v1/transactions', payment({ sales_channel: 'x'.repeat(21) }))).body,
    ).toMatchObject({ name: 'errors.request.bad_format' }))
})

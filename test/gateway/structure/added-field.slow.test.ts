import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Transaction } from '../../../mock-gateway/contract/wire.ts'
import { DEFAULT_MERCHANT } from '../../../mock-gateway/merchants/seed.ts'
import { cloneTo } from '../../helpers/clone.ts'
import { inRepository } from '../../helpers/documents.ts'
import {
  authorizationOf,
  encode,
  type Fields,
  hashed,
  payment,
  prepared,
} from '../../helpers/gateway.ts'
import { GATEWAY_PROGRAM, type Program, startProgram } from '../../helpers/program.ts'

/**
 * Texts that a developer inserts into each file, after an existing line, to add a field that
 * requests send, the gateway stores and answers show. Generated files are not included.
 */
const EDITS: Readonly<Record<string, readonly (readonly [after: string, inserted: string])[]>> = {
  'mock-gateway/contract/openapi.yaml': [
    [
      "customer_ref: { type: string, description: The merchant's id of the payer., maxLength: 255, examples: [c42] }\n",
      '        note_for_packing: { type: string, description: A note for the person who packs the order. }\n',
    ],
    ['wallet_type, dynamic_webhooks, customer_name,', ' note_for_packing,'],
    ['swish_number, template_id, locale,', ' note_for_packing,'],
    [
      "payment_ref: { type: string, description: The merchant's order id., minLength: 1, maxLength: 64 }\n",
      "        note_for_packing: { type: [string, 'null'] }\n",
    ],
  ],
  'mock-gateway/storage/tables/transactions.ts': [
    ['  amount,\n', '  addedBy,\n'],
    [
      '  answer_by: nullable(moment()),\n',
      "  note_for_packing: addedBy('0009-note-for-packing', nullable(text())),\n",
    ],
  ],
  'mock-gateway/parsing/order-fields.ts': [
    ["STORED_FIELDS = ['vat_amount'", ", 'note_for_packing'"],
    [
      '    vat_amount: readVatAmount(sent),\n',
      "    note_for_packing: text(sent, 'note_for_packing'),\n",
    ],
  ],
  'mock-gateway/serializers/transaction.ts': [
    ['    ref: row.customer_ref,\n', '    note_for_packing: row.note_for_packing,\n'],
  ],
}

/** Files that `node build/contract-types.ts` writes. */
const GENERATED = [
  'mock-gateway/contract/wire.ts',
  'mock-gateway/client/calls.ts',
  'sdk/shared/payment-parameters.ts',
]

let folder: string
let project: string
let started: Program[]

beforeAll(async () => {
  started = []
  folder = await mkdtemp(join(tmpdir(), 'added-field-'))
  project = join(folder, 'project')
  await cloneTo(project)
  for (const linked of ['node_modules', 'mock-gateway/dist'])
    symlinkSync(inRepository(linked), join(project, linked))
  for (const [path, edits] of Object.entries(EDITS))
    writeFileSync(join(project, path), edits.reduce(insertAfter, read(project, path)))
  execFileSync(process.execPath, ['build/contract-types.ts'], { cwd: project })
})
afterAll(async () => {
  for (const program of started) await program.stop()
  await rm(folder, { recursive: true })
})

const read = (root: string, path: string) => readFileSync(join(root, path), 'utf8')

function insertAfter(source: string, [after, inserted]: readonly [string, string]): string {
  const end = source.indexOf(after) + after.length
  expect(source.split(after), after).toHaveLength(2)
  return source.slice(0, end) + inserted + source.slice(end)
}

/** Fetch without the comparison with the contract, which does not have the field. */
const { unchecked } = globalThis.fetch as typeof fetch & { readonly unchecked: typeof fetch }

/** Starts a gateway on the data of this test. */
async function start(file: string) {
  const data = join(folder, 'data')
  const program = startProgram(file, ['--port', '0', '--data', data], { LOG_LEVEL: 'silent' })
  started.push(program)
  const [, url = ''] = /(http:\/\/localhost:\d+)/.exec(await program.printed(/localhost:\d+/)) ?? []
  const call = async (method: string, path: string, fields?: Fields) => {
    const answer = await unchecked(url + path, {
      method,
      headers: {
        authorization: authorizationOf(DEFAULT_MERCHANT),
        'content-type': 'application/x-www-form-urlencoded',
      },
      ...(fields && { body: encode(fields) }),
    })
    return (await answer.json()) as Transaction & { readonly note_for_packing: string | null }
  }
  return { program, call }
}

test('a field that is sent, stored and shown changes at most four files, and those that are generated', () => {
  const sources = ['mock-gateway', 'sdk', 'build'].flatMap((root) =>
    readdirSync(join(project, root), { recursive: true, encoding: 'utf8' })
      .map((path) => `${root}/${path}`)
      .filter((path) => /\.(?:ts|yaml)$/.test(path) && !path.includes('/dist/')),
  )
  const changed = sources.filter((path) => read(project, path) !== read(inRepository(''), path))
  expect(changed.sort()).toEqual([...Object.keys(EDITS), ...GENERATED].sort())
  expect(Object.keys(EDITS).length).toBeLessThanOrEqual(4)
})

test('the field works on data of the version before: API, list, update and payment_request', async () => {
  const before = await start(inRepository(GATEWAY_PROGRAM))
  const { id: older } = await before.call(
    'POST',
    '/v1/transactions',
    hashed(payment(), DEFAULT_MERCHANT),
  )
  await before.program.stop()
  const { call } = await start(join(project, 'mock-gateway/cli.ts'))
  expect((await call('GET', `/v1/transactions/${older}`)).note_for_packing).toBeNull()
  const sent = hashed(prepared({ note_for_packing: 'No tape' }), DEFAULT_MERCHANT)
  const created = await call('POST', '/v1/transactions', sent)
  expect(created).toMatchObject({
    note_for_packing: 'No tape',
    payment_request: { note_for_packing: 'No tape' },
  })
  const changed = { note_for_packing: 'Much tape', process: false }
  await call('PUT', `/v1/transactions/${created.id}`, changed)
  expect(await call('GET', `/v1/transactions?filter[id]=${created.id}`)).toMatchObject([
    { note_for_packing: 'Much tape' },
  ])
})

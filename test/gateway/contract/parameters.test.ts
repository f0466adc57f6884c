import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { PAYMENT_DETAILS_FIELDS } from '../../../mock-gateway/domain/payment-details.ts'
import { CARD_PARAMETERS } from '../../../mock-gateway/payments/payment-card.ts'
import { callsOf } from '../../../mock-gateway/web/docs/contract.ts'
import { parseContract } from '../../../mock-gateway/web/docs/parse.ts'
import { CONTRACT_FILE } from '../../helpers/contract.ts'
import { allParametersOf } from './documented.ts'
import { readNamesOf } from './read-parameters.ts'

/** Details that follow from the card. */
const FROM_CARD: readonly string[] = ['card_number', 'card_holder', 'card_type']

/** Reads whose name is in a variable, and the names it can have; none where the caller's own name is written out. */
const NAMES_IN_VARIABLES: Readonly<Record<string, readonly string[]>> = {
  'domain/items.ts: text(item, name)': ['artno', 'description', 'amount', 'qty', 'vat', 'discount', 'notes'],
  'domain/listing.ts: text(parameters, name)': ['limit', 'offset', 'start_id'],
  'domain/parameters.ts: parameters[name]': [],
  'domain/parameters/spellings.ts: parameters[name]': [],
  'domain/payment-details.ts: text(sent, field)': PAYMENT_DETAILS_FIELDS.filter((field) => !FROM_CARD.includes(field)),
  'domain/payment-request.ts: parameters[name]': [],
  "domain/plan.ts: integer(parameters, name, 'errors.request.bad_format')": ['periods', 'trial_length'],
  "domain/plan.ts: object(parameters, name, 'errors.prices.invalid')": ['prices', 'setup_fees'],
  "domain/subscription.ts: integer(parameters, name, 'errors.request.bad_format')": [
    'subscription_quantity',
    'quantity',
  ],
  "domain/webhook-requests.ts: list(parameters, name, 'errors.webhook.invalid', { single: true })": [
    'webhook',
    'webhooks',
  ],
  'web/hosted/router.ts: text(parameters, name)': ['success_url', 'error_url', ...CARD_PARAMETERS],
  'web/hosted/ssn.ts: text(parameters, name)': ['transaction_id', 'merchant_id'],
  'requests/parameters/decrypt.ts: parameters[name]': [],
  'payments/new-transaction.ts: text(parameters, which)': ['success_url', 'error_url'],
  'payments/payment-card.ts: text(parameters, name)': CARD_PARAMETERS,
}

const sources = fileURLToPath(new URL('../../../mock-gateway/', import.meta.url))
const files = globSync('**/*.ts', { cwd: sources }).map((path) => ({
  path: path.replaceAll('\\', '/'),
  ...readNamesOf(path, readFileSync(`${sources}${path}`, 'utf8')),
}))
const read = new Set([...files.flatMap(({ names }) => [...names]), ...Object.values(NAMES_IN_VARIABLES).flat()])

const contract = parseContract(readFileSync(CONTRACT_FILE, 'utf8'))
const documented = new Set(callsOf(contract).flatMap((call) => allParametersOf(contract, call)))

test('every parameter that the gateway reads is in the contract', () => {
  expect([...read].filter((name) => !documented.has(name))).toEqual([])
})

test('every parameter of the contract is read by the gateway', () => {
  expect([...documented].filter((name) => !read.has(name))).toEqual([])
})

test('every read whose name is in a variable is known', () => {
  const found = files.flatMap(({ path, variable }) => variable.map((text) => `${path}: ${text}`))
  expect([...new Set(found)].sort()).toEqual(Object.keys(NAMES_IN_VARIABLES).sort())
})

describe('a name is found where it is read', () => {
  const IMPORT = "import { text, flag } from '../domain/parameters.ts'\n"
  test.each([
    ['by a reader', "text(parameters, 'amount')", ['amount']],
    ['by a reader inside an object', "flag(card, 'test')", ['test']],
    ['as a member', 'const { metadata } = parameters; parameters.extend', ['extend', 'metadata']],
    ['under another name', 'const { locale: language } = parameters', ['locale']],
    ['by a function that takes them apart', 'const f = ({ lang }: Parameters) => lang', ['lang']],
    ['by a key', "parameters['hash']", ['hash']],
    ['but not in a comment', "// text(parameters, 'amount')", []],
    ['but not by a method of a map', "parameters.get('boundary')", []],
  ])('%s', (_how, source, names) => {
    expect([...readNamesOf('x.ts', IMPORT + source).names].sort()).toEqual(names)
  })

  test('and not where a function of the file itself has a reader’s name', () => {
    expect(readNamesOf('x.ts', "text(page, 'title')").names.size).toBe(0)
  })
})

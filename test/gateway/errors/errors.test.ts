import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { Transaction } from '../../../mock-gateway/contract/wire.ts'
import { CATALOGUE } from '../../../mock-gateway/domain/errors/catalogue.ts'
import {
  type CatalogueEntry,
  type ErrorKey,
  type ErrorName,
  findEntryByCode,
  findEntryByName,
  getKey,
} from '../../../mock-gateway/domain/errors/errors.ts'
import { listCalls } from '../../../mock-gateway/web/docs/contract.ts'
import { readErrorTexts } from '../../../mock-gateway/web/docs/errors.ts'
import { readContract } from '../../helpers/contract.ts'
import { type Answer, payment } from '../../helpers/gateway.ts'
import { share } from '../../helpers/shared.ts'
import { CALLS } from './provocations.ts'
import { startErrorGateway, type World, worldOf } from './world.ts'

const { requests, requestFor } = readErrorTexts(readFileSync('docs/errors.md', 'utf8'))

const ANSWERED = 'needs a payer who is asked at a bank, and answers so on the page'

const OFFERED = 'is asked for by fail_as_code, or for the next payment: the console offers it'

/** Errors in the source code that no single call can cause, with the reason. */
const NOT_PROVOKED: Readonly<Partial<Record<ErrorName, string>>> = {
  'errors.bankprovider.insufficient_funds': ANSWERED,
  'errors.bankprovider.account_declined': ANSWERED,
  'errors.bankprovider.account_not_found': ANSWERED,
  'errors.bankprovider.disabled_user': ANSWERED,
  'errors.bankprovider.deposit_not_captured': ANSWERED,
  'errors.transaction.timeout': 'needs a payment page whose time is over',
  'errors.payment.canceled': 'is what a shop is told whose payer has cancelled on the payment page',
  'errors.amount.mismatch':
    'needs a payment page whose order was changed while somebody looked at it',
  'errors.transaction.locked': 'needs another request at the same moment',
  'errors.rules_parser.declined':
    'is what a webhook before the payment answers, or asked for by fail_as_code',
  'errors.rules_parser.skip_webhook':
    'is what a webhook before the payment answers, or asked for by fail_as_code',
  'errors.webhook_template.invalid': 'is what the control API answers, see test/gateway/webhooks',
  'errors.webhook_template.not_found': 'is what the control API answers, see test/gateway/webhooks',
  'errors.password.missing':
    'is what the console answers, see test/gateway/web/console/settings.test.ts',
  'errors.password_length':
    'is what the console answers, see test/gateway/web/console/settings.test.ts',
  'errors.card.do_not_honour': OFFERED,
  'errors.payment.amount_low': OFFERED,
  'errors.mpi.not_approved': 'needs a payer who was not authenticated before',
  'errors.mpi.disabled': 'needs a merchant without 3-D Secure',
  'errors.provider_ref.processed': 'needs an authentication that was used before',
  'errors.unexpected': 'is what a mistake of the gateway itself is answered with',
  'errors.generic':
    'is what an unknown fail_as_code is answered with, with a description of its own',
  'errors.payment.failed':
    'is what fail_as_message is answered with, with that message as its description',
}

/** Languages in which every error has a description. */
const LOCALES = ['sv', 'en'] as const

const shop = await share(startErrorGateway())

/**
 * Expects that the body contains only the error of the catalogue, or a page with the same text for
 * a payer.
 */
function expectCatalogue(
  answer: Answer<unknown>,
  entry: CatalogueEntry,
  locale: (typeof LOCALES)[number],
) {
  const { name, code, http, [locale]: description } = entry
  if (typeof answer.body === 'string') expect(answer.body).toContain(description)
  else expect(answer.body).toEqual({ name, code, description })
  expect(answer.status).toBe(http)
  expect(answer.headers.get('mondido-explain')).toMatch(/^\S.{10,}/)
}

describe.each(LOCALES)('in %s the gateway answers', async (locale) => {
  const world = worldOf(shop, locale)

  for (const row of CATALOGUE) {
    const key = getKey(row)
    const call = CALLS[key as ErrorName] ?? forced(key)
    test(`${requestFor(key)} with error ${row.code} ${row.name}`, async () =>
      expectCatalogue(await call(world), row, locale))
  }
})

/** Causes an error with service_instructions of a payment. */
const forced = (key: ErrorKey) => (world: World) => {
  const [parameter = '', value] = requestFor(key).replaceAll('`', '').split('=')
  return world.pay({ [parameter]: value })
}

test('a payment that failed with the second row of a name shows that row, with the shared name', async () => {
  const { payment_ref } = await failWith('2301')
  const { body } = await shop.get<Transaction[]>('/v1/transactions', {
    'filter[payment_ref]': payment_ref,
  })
  const name = 'errors.item.missing_or_too_long.description'
  expect(body[0]).toMatchObject({
    status_details: name,
    error: { code: 2301, name },
    payment_response: { error: name },
  })
})

async function failWith(failAsCode: string) {
  const fields = payment({ 'metadata[service_instructions][fail_as_code]': failAsCode })
  await shop.post('/v1/transactions', fields)
  return fields
}

describe('a code that shares its name', () => {
  test.each([
    [1290, 1290, 'errors.payment.failed'],
    [2301, 2301, 'errors.item.missing_or_too_long.description'],
    [230, 230, 'errors.item.missing_or_too_long.description'],
  ])('is returned as the first row of the name: error %i as %i %s', async (asked, code, name) => {
    const { body } = await worldOf(shop, 'en').pay({
      'metadata[service_instructions][fail_as_code]': asked,
    })
    expect(body).toMatchObject({ code, name })
  })

  test('can be forced with its name: error 1290 errors.payment.canceled', async () => {
    const name = 'errors.payment.canceled'
    expect(
      (await worldOf(shop, 'en').pay({ 'metadata[service_instructions][fail_as_code]': name }))
        .body,
    ).toMatchObject({ code: 1290, name })
  })
})

describe('the table of error causes is complete:', () => {
  const provoked = new Set(requests.keys())
  const isKnown = (name: string) => provoked.has(name) !== Object.hasOwn(NOT_PROVOKED, name)

  test('the tests have a call for every error in the table, and for no other error', () =>
    expect(Object.keys(CALLS).sort()).toEqual([...provoked].sort()))

  test('no two errors have the same call', () =>
    expect(new Set(requests.values()).size).toBe(provoked.size))

  test('the table contains every error in the source code, or a reason for its absence', () => {
    const folder = fileURLToPath(new URL('../../../mock-gateway', import.meta.url))
    const files = globSync('**/*.ts', { cwd: folder }).filter(
      (path) => !/errors.catalogue/.test(path),
    )
    const names = files.flatMap(
      (path) => readFileSync(`${folder}/${path}`, 'utf8').match(/'errors\.[a-z0-9_.]+'/g) ?? [],
    )
    const known = new Set(
      names.map((name) => name.slice(1, -1)).filter((name) => findEntryByName(name)),
    )
    expect(known.size).toBeGreaterThan(100)
    expect([...known].filter((name) => !isKnown(name))).toEqual([])
  })

  test('the table contains every error of the contract, or a reason for its absence', () => {
    const codes = listCalls(readContract()).flatMap(({ operation }) => operation['x-errors'])
    const names = [...new Set(codes)].map((code) => findEntryByCode(code)?.name ?? '')
    expect(names.filter((name) => !isKnown(name))).toEqual([])
  })

  test('the contract contains every error in the table', () => {
    const calls = listCalls(readContract())
    const listed = new Set(
      calls
        .flatMap(({ operation }) => operation['x-errors'])
        .map((code) => findEntryByCode(code)?.name),
    )
    const elsewhere = ['errors.not_found']
    expect(
      [...provoked].filter((name) => !listed.has(name as ErrorName) && !elsewhere.includes(name)),
    ).toEqual([])
  })
})

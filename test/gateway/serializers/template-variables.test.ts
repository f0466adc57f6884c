import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readSettings } from '../../../mock-gateway/domain/merchant.ts'
import {
  TEMPLATE_FIELDS,
  type TemplateFields,
} from '../../../mock-gateway/serializers/template-fields.ts'
import { loadTemplateVariables } from '../../../mock-gateway/serializers/template-variables.ts'
import { openDatabase } from '../../../mock-gateway/storage/database.ts'
import { findRow } from '../../../mock-gateway/storage/rows.ts'
import { MERCHANT, startGateway } from '../../helpers/gateway.ts'
import { sharedFolder } from '../../helpers/shared.ts'
import { shown } from '../templates/rendered.ts'
import { payFilled } from './variables.ts'

const ADDRESSES = {
  base: 'http://localhost:4400',
  pay: 'http://localhost:4400',
  cdn: 'http://localhost:4400',
}

const folder = await sharedFolder()
const file = join(folder, 'gateway.db')
const shop = await startGateway({ database: file })
const filled = await payFilled(shop)
await shop.close()
const database = await openDatabase(file)
const row = await findRow(database.db, 'transactions', MERCHANT.id, filled.paid.id)
if (!row) throw new TypeError('The payment is not there')
const settings = readSettings('{"settings_hosted":{"layout":{"name":"Cups"}}}')
const merchant = { ...MERCHANT, name: 'A shop', settings }
const variables: Record<string, unknown> = {
  ...(await loadTemplateVariables(
    { queries: database.db, merchant, addresses: ADDRESSES, locale: 'en' },
    row,
  )),
}
await database.close()

const printed = async (path: string) =>
  (await shown(`<pre>{{ ${path} }}</pre>`, variables)).slice(5, -6)

test('the checker of templates knows every existing name, and no other', () => {
  const namesOf = (value: unknown, fields: TemplateFields, path: string): string[] =>
    Object.keys({ ...(value as object), ...fields }).flatMap((name) => {
      const at = `${path}${name}`
      if (!Object.hasOwn(fields, name)) return [`${at} is not known`]
      const member = (value as Record<string, unknown>)[name]
      if (member === undefined) return [`there is no ${at}`]
      const inside = fields[name]
      return inside && member !== null ? namesOf(member, inside, `${at}.`) : []
    })
  expect(namesOf(variables, TEMPLATE_FIELDS, '')).toEqual([])
})

describe('a variable of old templates', () => {
  for (const [path, expected] of [
    ['transaction.href', /^http:\/\/localhost:4400\/v1\/form\//],
    ['currency', 'sek'],
    ["transaction.metadata['products'][0]['name']", 'Cup'],
    ['transaction.payment_details.mask_city', 'S********'],
    ['transaction.payment_details.segmentation', ''],
    ["transaction.convert_currency['amount']", ''],
    ["transaction.merchant.settings_hosted['v2'].layout.name", 'Cups'],
    ["transaction.merchant.settings_hosted['v2']['swish']['active'] | default_false", 'false'],
    ['transaction.refunds.last.amount', '1.00'],
    ['transaction.refunds.last.reason', 'Broken'],
    ['transaction.items[0].description', 'Cup'],
    ['transaction.customer.ref', 'c42'],
    ['transaction.subscription.plan.name', 'Monthly'],
    ['transaction.campaigns.size', '0'],
  ] as const)
    test(path, async () => {
      const text = await printed(path)
      if (expected instanceof RegExp) expect(text).toMatch(expected)
      else expect(text).toBe(expected)
    })
})

test('attack 25 (liquid-prototype): no variable contains a secret or the token of a card', () => {
  const text = JSON.stringify(variables)
  expect(text).toContain('411111******1111')
  for (const secret of [MERCHANT.secret, MERCHANT.password, '"token"', 'private_key', '"secret"'])
    expect(text).not.toContain(secret)
})

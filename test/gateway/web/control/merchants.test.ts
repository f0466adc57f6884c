import { describe, expect, test } from 'vitest'
import { PRESET_NAMES } from '../../../../mock-gateway/domain/presets.ts'
import { MERCHANT, payment } from '../../../helpers/gateway.ts'
import { openGateway, sharedGateway } from '../../../helpers/shared-gateway.ts'
import { openTestPlace } from '../../storage/databases.ts'
import { type ControlAnswer, controlOf } from './client.ts'

/** Answer to a call that creates a merchant. */
interface Made extends ControlAnswer {
  readonly id: number
  readonly password: string
  readonly secret: string
  readonly settings: Readonly<Record<string, unknown>>
}

const GIVEN = { ...MERCHANT, id: 7, settings: { strict_hash: true } }

const shop = await sharedGateway({ merchants: [GIVEN] })
const control = controlOf(shop.gateway)

const make = async (fields: object = {}, { post } = control) =>
  (await post<Made>('/merchants', fields)).body

test('a new merchant pays immediately with the values in the answer, which are shown only once', async () => {
  const made = await make()
  expect(made).toMatchObject({
    name: `Merchant ${made.id}`,
    given_at_start: false,
    fixed_settings: [],
  })
  const client = shop.as(made)
  expect((await client.post('/v1/transactions', payment())).body).toMatchObject({
    status: 'approved',
  })
  const { body } = await control.get(`/merchants/${made.id}`)
  expect(Object.keys(body)).not.toContain('secret')
  expect(JSON.stringify(body)).not.toContain(made.password)
  expect((await control.get<object[]>('/merchants')).body).toContainEqual(
    expect.objectContaining({ id: made.id, name: made.name }),
  )
})

test('settings survive a restart, but the start-up configuration takes precedence', async () => {
  const database = await openTestPlace()
  const shop = await openGateway({ database, merchants: [GIVEN] })
  const control = controlOf(shop.gateway)
  const cups = { name: 'Cups', preset: 'prestashop', settings: { page_minutes: 5 } }
  const { id } = await make(cups, control)
  await control.put(`/merchants/${id}`, { settings: { page_minutes: null, page_tries: 3 } })
  await control.put('/merchants/7', { settings: { error_object: true } })
  const refused = await control.put('/merchants/7', { settings: { strict_hash: false } })
  expect([refused.status, refused.headers.get('mondido-explain')]).toEqual([
    400,
    'The start-up configuration defines strict_hash of this merchant. Change it there.',
  ])
  await shop.close()
  const next = await openGateway({ database, merchants: [GIVEN], seed: 'second' })
  const { get } = controlOf(next.gateway)
  const merchant = async (at: number) => (await get<Made>(`/merchants/${at}`)).body
  expect((await merchant(id)).settings).toMatchObject({ page_minutes: 90, page_tries: 3 })
  expect((await merchant(id)).settings.payer_details).toContain('country_code')
  expect(await merchant(7)).toMatchObject({
    given_at_start: true,
    settings: { strict_hash: true, error_object: true },
    changed_settings: ['error_object'],
    fixed_settings: ['strict_hash'],
  })
})

test('password, name and secret can be changed, and omitted values stay', async () => {
  const made = await make()
  const values = { password: 'a new one', secret: 'other' }
  await control.put(`/merchants/${made.id}`, { ...values, name: 'Mugs' })
  const changed = { ...made, ...values }
  expect((await shop.as(changed).post('/v1/transactions', payment())).status).toBe(200)
  expect((await shop.as(made).get('/v1/transactions')).status).toBe(401)
  expect((await control.put(`/merchants/${made.id}`, {})).body).toMatchObject({ name: 'Mugs' })
  // Neither the id nor an unknown member can be changed.
  for (const field of ['id', 'nmae'])
    expect(
      (await control.put(`/merchants/${made.id}`, { name: 'Cups', [field]: '9' })).status,
    ).toBe(400)
  expect((await control.get(`/merchants/${made.id}`)).body).toMatchObject({ name: 'Mugs' })
})

describe('a merchant is rejected and not created:', () => {
  test.each([
    [{ id: 7 }, 'Merchant 7 already exists'],
    [{ id: 0 }, 'id must be a whole number from 1 to 2147483647'],
    [{ password: 'short' }, 'A password must have 6 to 256 characters.'],
    [{ secret: 'sandbox-secret' }, 'This secret is a published default. Choose another.'],
    [{ preset: 'shopify' }, `preset must be one of ${PRESET_NAMES.join(', ')}`],
    [{ settings: { page_minutes: -1 } }, /^The settings cannot be used: page_minutes: /],
    [
      { settings: { nothing: 1 } },
      'The settings cannot be used: nothing: there is no such setting',
    ],
    [
      {
        settings: {
          webhooks: [{ name: 'x', trigger: 'payment', url: 'http://169.254.169.254/' }],
        },
      },
      'The gateway never calls this url of a webhook',
    ],
    [{ settings: '[1' }, /settings/],
    [{ private_key: 'x' }, /RSA private key of at least 2048 bits/],
    [{ secrets: 'x' }, /is not a parameter of this call/],
  ])('%o', async (fields, explain) => {
    const merchants = async () => (await control.get<object[]>('/merchants')).body
    const before = await merchants()
    const { status, headers } = await control.post('/merchants', fields)
    expect([status, headers.get('mondido-explain')]).toEqual([400, expect.stringMatching(explain)])
    expect(await merchants()).toEqual(before)
  })

  test('an unknown merchant', async () => {
    expect((await control.get('/merchants/99')).status).toBe(404)
    expect((await control.put('/merchants/99', { name: 'x' })).status).toBe(404)
    expect((await control.post('/merchants/99/keys')).status).toBe(404)
  })
})

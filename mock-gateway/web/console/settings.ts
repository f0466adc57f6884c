import type { MerchantSettings } from '../../domain/merchant.ts'
import { fixedOf, needMerchant } from '../../merchants/administer.ts'
import { changePassword } from '../../merchants/change-password.ts'
import { ROTATION_PARTS, rotateSecrets } from '../../merchants/rotate.ts'
import { PASSWORD_FIELDS, readNewPassword } from '../../parsing/change-password.ts'
import { ROTATION_FIELDS, readRotation } from '../../parsing/control/merchants.ts'
import { pick, text } from '../../parsing/parameters/parameters.ts'
import { wireTime } from '../../serializers/time.ts'
import { clientAddress } from '../http/client-address.ts'
import { exchangeOf } from '../http/exchange.ts'
import { type Cell, json, plain } from './cells.ts'
import { orAgain, type Problem } from './refused-form.ts'
import type { Act, MerchantVisit, Onward, Page, View } from './visit.ts'

const section = 'settings'

/** Who a merchant is, how its account behaves, and what its shop has to know. */
export const SETTINGS_PAGE: Page<MerchantVisit> = { path: '/settings', section, show: (visit) => show(visit) }

export const SETTINGS_ACTS: readonly Act<MerchantVisit>[] = [
  {
    path: '/settings/password',
    section,
    act: (visit) =>
      orAgain(
        visit,
        () => setPassword(visit),
        (problem) => show(visit, problem),
      ),
  },
  {
    path: '/settings/rotate',
    section,
    act: (visit) =>
      orAgain(
        visit,
        () => rotate(visit),
        (problem) => show(visit, problem),
      ),
  },
]

/**
 * The administrator does not know the old one. Wrong ones count, and lock, apart from other logins: who is logged in
 * already unlocks a merchant by a new password (specification: Authentication, 4).
 */
async function setPassword(visit: MerchantVisit): Promise<Onward> {
  const { merchant, operator, parameters, dependencies, response } = visit
  const password = readNewPassword(parameters)
  const { now, service } = exchangeOf(response)
  await provePassword(visit)
  await changePassword(dependencies.database, merchant.id, password, now)
  service.changes.publish({ merchantId: merchant.id, topic: 'sessions' })
  return { to: '/settings', done: 'password_changed', newSession: operator.merchantId !== undefined }
}

/** Asks a merchant, not the administrator, for the current password. @throws errors.authentication.failed (182) */
async function provePassword({ merchant, operator, parameters, dependencies, response }: MerchantVisit): Promise<void> {
  if (operator.merchantId === undefined) return
  const password = text(pick(parameters, PASSWORD_FIELDS), 'old_password') ?? ''
  const address = `${clientAddress(response.req)} in a session`
  await dependencies.authenticator.login(
    { username: String(merchant.id), password, address },
    exchangeOf(response).nowOf(merchant.id),
  )
}

/** Replaces secret and password. The new ones are on the page that answers, and on no other. */
async function rotate(visit: MerchantVisit): Promise<View> {
  const { merchant, parameters, dependencies, response } = visit
  const { nowOf, service } = exchangeOf(response)
  const order = readRotation(pick(parameters, ROTATION_FIELDS))
  await provePassword(visit)
  const { secret, password, until, warning } = await rotateSecrets(dependencies, merchant.id, order, nowOf(merchant.id))
  service.changes.publish({ merchantId: merchant.id, topic: 'sessions' })
  const facts = { Password: password, Secret: secret, 'Previous valid until': wireTime(until) }
  return {
    view: 'rotated',
    title: 'New secrets',
    data: {
      facts: Object.entries(facts).flatMap(([name, value]) => (value === null ? [] : [{ name, ...plain(value) }])),
      warning,
      ends_session: password !== null,
    },
  }
}

/** Lists the previous secret and password that are still valid. */
async function previousFacts({ merchant, dependencies, response }: MerchantVisit) {
  const row = await needMerchant(dependencies.database.db, merchant.id)
  const now = exchangeOf(response).nowOf(merchant.id)
  const ends = {
    'Previous secret valid until': row.previous_secret_until,
    'Previous password valid until': row.previous_password_until,
  }
  return Object.entries(ends).flatMap(([name, until]) =>
    until !== null && now < until ? [{ name, ...plain(wireTime(until)) }] : [],
  )
}

async function show(visit: MerchantVisit, problem: Problem | null = null): Promise<View> {
  const { merchant, operator, dependencies } = visit
  const { base, pay, cdn } = dependencies.addresses
  return {
    view: 'settings',
    title: 'Settings',
    data: {
      facts: [
        { name: 'Merchant id', ...plain(merchant.id) },
        { name: 'Name', ...plain(merchant.name) },
        { name: 'API', ...plain(`${base}/v1`) },
        { name: 'Payment form', ...plain(`${pay}/v1/form`) },
        ...(await previousFacts(visit)),
      ],
      username: merchant.id,
      asks_old: operator.merchantId !== undefined,
      problem,
      parts: ROTATION_PARTS,
      given: fixedOf(dependencies, merchant.id) !== undefined,
      curl: `curl -u ${merchant.id} '${base}/v1/transactions?limit=1'`,
      script: `<script src="${cdn}/v2/mondido.js?merchant_id=${merchant.id}"></script>`,
      public_key: (await dependencies.keys.of(merchant.id)).publicKey,
      settings: settingsOf(merchant.settings),
    },
  }
}

const settingsOf = ({ webhook_keys, ...settings }: MerchantSettings) =>
  Object.entries({ ...settings, webhook_keys: webhook_keys.map(() => '***') }).map(([name, value]) => ({
    name,
    ...cellOf(value),
  }))

function cellOf(value: MerchantSettings[keyof MerchantSettings]): Cell {
  if (typeof value !== 'object') return plain(String(value ?? ''))
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object')) return plain(value.join(', ') || 'none')
  return json(value)
}

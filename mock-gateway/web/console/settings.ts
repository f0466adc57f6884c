import type { MerchantSettings } from '../../domain/merchant.ts'
import { changePassword } from '../../merchants/change-password.ts'
import { PASSWORD_FIELDS, readNewPassword } from '../../parsing/change-password.ts'
import { pick, text } from '../../parsing/parameters/parameters.ts'
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
]

/**
 * The administrator does not know the old one. Wrong ones count, and lock, apart from other logins: who is logged in
 * already unlocks a merchant by a new password (specification: Authentication, 4).
 */
async function setPassword({ merchant, operator, parameters, dependencies, response }: MerchantVisit): Promise<Onward> {
  const password = readNewPassword(parameters)
  const { now, service } = exchangeOf(response)
  const isOwn = operator.merchantId !== undefined
  if (isOwn) {
    const old = text(pick(parameters, PASSWORD_FIELDS), 'old_password') ?? ''
    const address = `${clientAddress(response.req)} in a session`
    const login = { username: String(merchant.id), password: old, address }
    await dependencies.authenticator.login(login, now)
  }
  await changePassword(dependencies.database, merchant.id, password, now)
  service.changes.publish({ merchantId: merchant.id, topic: 'sessions' })
  return { to: '/settings', done: 'password_changed', newSession: isOwn }
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
      ],
      username: merchant.id,
      asks_old: operator.merchantId !== undefined,
      problem,
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

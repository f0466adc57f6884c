import { isDeepStrictEqual } from 'node:util'
import {
  DEFAULT_SETTINGS,
  type MerchantSettings,
  type SettingName,
} from '../../../domain/merchant.ts'
import {
  changeMerchant,
  fixedOf,
  needMerchant,
  ROTATION_PARTS,
  type RotationRequest,
  rotateSecrets,
} from '../../../merchants/administer.ts'
import { ROTATE } from '../../../operations/merchants.ts'
import { readInput } from '../../../operations/read-input.ts'
import { PASSWORD_FIELDS, readNewPassword } from '../../../parsing/change-password.ts'
import { type Parameters, pick, text } from '../../../parsing/parameters/parameters.ts'
import { wireTime } from '../../../serializers/time.ts'
import { clientAddress } from '../../http/client-address.ts'
import { exchangeOf } from '../../http/exchange.ts'
import { html, type SafeHtml } from '../../pages/html.ts'
import { libraryTag, readLibrary } from '../../pages/library-file.ts'
import { codeBlock, type Fact, factList } from '../parts/cell.ts'
import { copied, plain } from '../parts/cells.ts'
import { labelOf } from '../parts/filters.ts'
import type { ConsoleProblem } from '../parts/form-errors.ts'
import { option, tokenField } from '../parts/forms.ts'
import { problemBox } from '../parts/problem.ts'
import type {
  ConsolePage,
  ConsoleRedirect,
  ConsoleView,
  FormAction,
  MerchantVisit,
} from '../visit.ts'
import { APART_SETTINGS, choiceText, SETTING_GROUPS, settingLabel } from './setting-groups.ts'

const section = 'settings'

/** Page of a merchant's account, settings and keys. */
export const SETTINGS_PAGE: ConsolePage<MerchantVisit> = {
  path: '/settings',
  section,
  show: (visit) => show(visit),
}

export const SETTINGS_ACTS: readonly FormAction<MerchantVisit>[] = [
  {
    path: '/settings/password',
    section,
    act: (visit) => setPassword(visit),
    again: (visit, problem) => show(visit, problem),
  },
  {
    path: '/settings/rotate',
    section,
    act: (visit) => rotate(visit),
    again: (visit, problem) => show(visit, problem),
  },
]

/**
 * Sets a password; the administrator does not need the old one. Wrong ones are counted and lock
 * apart from logins: a logged-in user unlocks the merchant with a new password (specification:
 * Authentication, 4).
 */
async function setPassword(visit: MerchantVisit): Promise<ConsoleRedirect> {
  const { merchant, operator, parameters, dependencies, response } = visit
  const password = readNewPassword(parameters)
  const { now, service } = exchangeOf(response)
  await provePassword(visit)
  await changeMerchant(dependencies, merchant.id, { password }, now)
  service.changes.publish({ merchantId: merchant.id, topic: 'sessions' })
  return {
    to: '/settings',
    done: 'password_changed',
    newSession: operator.merchantId !== undefined,
  }
}

/**
 * Requires the current password from a merchant, not from the administrator. @throws
 * errors.authentication.failed (182)
 */
async function provePassword({
  merchant,
  operator,
  parameters,
  dependencies,
  response,
}: MerchantVisit): Promise<void> {
  if (operator.merchantId === undefined) return
  const password = text(pick(parameters, PASSWORD_FIELDS), 'old_password') ?? ''
  const address = `${clientAddress(response.req)} in a session`
  await dependencies.authenticator.login(
    { username: String(merchant.id), password, address },
    exchangeOf(response).nowOf(merchant.id),
  )
}

/** Replaces secret and password. Only the page of the response shows the new ones. */
async function rotate(visit: MerchantVisit): Promise<ConsoleView> {
  const { merchant, parameters, dependencies, response } = visit
  const { nowOf, service } = exchangeOf(response)
  const order = readInput(ROTATE, pick(parameters, ['part', 'hours']) as Parameters, {
    id: String(merchant.id),
  }) as RotationRequest
  await provePassword(visit)
  const { secret, password, until, warning } = await rotateSecrets(
    dependencies,
    merchant.id,
    order,
    nowOf(merchant.id),
  )
  service.changes.publish({ merchantId: merchant.id, topic: 'sessions' })
  const facts = {
    Password: password,
    Secret: secret,
    'Previous values valid until': wireTime(until),
  }
  return {
    title: 'New secrets',
    body: html`<p>Copy the new values now: they are never shown again.</p>
${factList(
  Object.entries(facts).flatMap(([name, value]) =>
    value === null ? [] : [{ name, ...copied(plain(value)) }],
  ),
)}
${warning && html`<p role="alert">${warning}</p>`}
${password === null ? null : html`<p>Log in to the console again, with the new password.</p>`}
<p><a href="${visit.home}/settings">Back to the settings</a></p>`,
  }
}

/** Lists the previous secret and password while they are valid. */
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

async function show(
  visit: MerchantVisit,
  problem: ConsoleProblem | null = null,
): Promise<ConsoleView> {
  const { merchant, operator, dependencies } = visit
  const { base, pay, cdn } = dependencies.addresses
  const { home } = visit
  const { publicKey } = await dependencies.keys.of(merchant.id)
  const library = await readLibrary(dependencies.library)
  const token = tokenField(visit)
  const username = html`<input
  name="username" value="${merchant.id}" autocomplete="username" hidden>`
  const oldPassword =
    operator.merchantId === undefined
      ? null
      : html`<label>Current password
<input type="password" name="old_password" autocomplete="current-password" required></label>
`
  return {
    title: 'Settings',
    body: html`${problemBox(problem)}
${factList([
  { name: 'Merchant id', ...copied(plain(merchant.id)) },
  { name: 'Name', ...plain(merchant.name) },
  { name: 'API', ...copied(plain(`${base}/v1`)) },
  { name: 'Payment page', ...copied(plain(`${pay}/v1/form`)) },
  ...(await previousFacts(visit)),
])}
<h2>Current settings</h2>
<p><a class="button" href="${home}/settings/change">Change settings</a></p>
${settingsView(merchant.settings)}
<h2>For your shop</h2>
<p>An example call; curl asks for the password:</p>
${codeBlock(`curl -u ${merchant.id} '${base}/v1/transactions?limit=1'`)}
<p>The library, for the page with your payment form:</p>
${codeBlock(`<script src="${cdn}/v2/mondido.js?merchant_id=${merchant.id}"></script>`)}
${
  library === undefined
    ? null
    : html`<p>The library with an integrity hash: a browser runs only this exact file.
Replace the tag after each upgrade.</p>
${codeBlock(libraryTag(library, dependencies.addresses, merchant, publicKey))}`
}
<p>The public key that encrypts card data:</p>
${codeBlock(publicKey)}
<form method="post" action="${home}/settings/keys">${token}
<button class="small">Create a new key pair</button>
<p class="hint">Open pages that pay with <code>type: 'ajax'</code> fetch the new key.
A page that sets its own public key needs the new one.</p></form>
<h2>Password</h2>
<p class="quiet">The password of the API and of this console.
A new password unlocks the account and ends all other sessions.</p>
<form class="filters" method="post" action="${home}/settings/password">${token}${username}
${oldPassword}<label>New password
<input type="password" name="password" autocomplete="new-password" minlength="6" required></label>
<label>New password again <input type="password" name="password_again"
  autocomplete="new-password" minlength="6" required></label>
<button class="small">Change</button>
</form>
<p class="hint">If the start-up configuration defines the merchant
(<code>--merchants</code>, or the sandbox’s own), the next start resets the password.</p>
<h2 id="rotate">Rotate secret and password</h2>
<p class="quiet">Creates new values and shows them once.
The previous values remain valid for the hours that you choose,
so that you can change your servers one after another.
The gateway signs answers, redirects and webhooks with the new secret immediately.</p>
<form class="filters" method="post" action="${home}/settings/rotate">${token}${username}
${oldPassword}<label>Rotate
<select name="part">${ROTATION_PARTS.map((part) => option(part, part, ''))}</select></label>
<label>Hours that the previous values remain valid
<input type="number" name="hours" value="24" min="0" max="2160" required></label>
<button class="small">Rotate</button>
</form>
${
  fixedOf(dependencies, merchant.id) === undefined
    ? null
    : html`<p class="hint">The start-up configuration defines this merchant.
Write the new values there before the next start; otherwise the old values become valid again.</p>`
}`,
  }
}

/** Renders the changed settings, and the other ones folded in groups. */
function settingsView(settings: MerchantSettings): SafeHtml {
  const groups = Object.entries({ ...SETTING_GROUPS, Webhooks: APART_SETTINGS })
  const changed = groups
    .flatMap(([, names]) => names)
    .filter((name) => !isDeepStrictEqual(settings[name], DEFAULT_SETTINGS[name]))
  const unchanged = groups
    .map(([group, names]) => ({ group, names: names.filter((name) => !changed.includes(name)) }))
    .filter(({ names }) => names.length > 0)
  return html`${
    changed.length > 0
      ? factList(changed.map((name) => changedFact(settings, name)))
      : html`<p class="quiet">Every setting has its default value.</p>`
  }
<details><summary>Settings at their default
<span class="quiet">${unchanged.flatMap(({ names }) => names).length}</span></summary>
<div class="groups">${unchanged.map(
    ({ group, names }) => html`<section><h3>${group}</h3>
${factList(
  names.map((name) => ({ name: settingLabel(name), ...plain(valueText(settings[name], name)) })),
)}</section>`,
  )}</div></details>`
}

const changedFact = (settings: MerchantSettings, name: SettingName): Fact => ({
  name: settingLabel(name),
  ...plain(valueText(settings[name], name)),
  note: `default: ${valueText(DEFAULT_SETTINGS[name], name)}`,
})

/** Counted instead of listed: these values have pages of their own, or are secret. */
const COUNTED: readonly SettingName[] = ['rules', 'webhooks', 'webhook_keys']

/** Describes the value of a setting: yes, a number, a word, or a short list. */
function valueText(value: MerchantSettings[SettingName], name: SettingName): string {
  if (value === undefined || value === null || value === '') return 'not set'
  if (typeof value !== 'object') return choiceText(name, String(value))
  const values = Array.isArray(value) ? value : Object.entries(value)
  if (values.length === 0) return 'none'
  if (COUNTED.includes(name)) return String(values.length)
  return values
    .map((each) =>
      Array.isArray(each)
        ? `${labelOf(String(each[0]))}: ${valueText(each[1], name)}`
        : typeof each === 'object'
          ? String((each as { email?: string }).email ?? '')
          : choiceText(name, String(each)),
    )
    .join(', ')
}

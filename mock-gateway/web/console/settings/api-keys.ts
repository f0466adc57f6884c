import { getFixedSettings, needMerchant, ROTATION_PARTS } from '../../../merchants/administer.ts'
import { PASSWORD_FIELDS, readNewPassword } from '../../../parsing/change-password.ts'
import { pick, text } from '../../../parsing/parameters/parameters.ts'
import { formatWireTime } from '../../../serializers/time.ts'
import { getExchange } from '../../http/exchange.ts'
import { findClientAddress } from '../../http/login.ts'
import { html, type SafeHtml } from '../../pages/html.ts'
import { readLibrary, writeLibraryTag } from '../../pages/library-file.ts'
import { renderCodeBlock } from '../../pages/messages.ts'
import { copied, type Fact, renderFacts } from '../parts/cells.ts'
import { type FormFields, labelChoices, renderButtonForm, renderGroup } from '../parts/forms.ts'
import {
  buttonAct,
  findProblem,
  formAct,
  type OperationForm,
  renderOperationForm,
  renderShownOnce,
  runFromForm,
} from '../parts/operation-form.ts'
import { type ConsolePage, type ConsoleRoute, type MerchantVisit, readTexts } from '../visit.ts'

const NEW = { kind: 'password', autocomplete: 'new-password', isRequired: true } as const

/**
 * Sets a password; the administrator does not need the old one. Wrong ones are counted and lock
 * apart from logins: a logged-in user unlocks the merchant with a new password (specification:
 * Authentication, 4).
 */
const PASSWORD: OperationForm = {
  ...{ name: 'password', path: '/settings/password', button: 'Change the password' },
  fields: {
    password: { ...NEW, label: 'New password' },
    password_again: { ...NEW, label: 'New password again' },
  },
  async run(visit) {
    const password = readNewPassword(visit.parameters)
    await provePassword(visit)
    return runFromForm(visit, 'merchants.update', { password })
  },
  ...{ to: '/api_keys', done: 'password_changed' },
  newSession: ({ operator }) => operator.merchantId !== undefined,
}

/** Replaces secret and password. Only the page of the response shows the new ones. */
const ROTATE: OperationForm = {
  ...{ name: 'merchants.rotate', path: '/settings/rotate', button: 'Rotate' },
  fields: {
    part: { label: 'Values to rotate', choices: labelChoices(ROTATION_PARTS) },
    hours: { label: 'Hours that the previous values remain valid', help: '' },
  },
  async run(visit) {
    await provePassword(visit)
    return runFromForm(visit, 'merchants.rotate', readTexts(visit.parameters, ['part', 'hours']))
  },
  shows: ({ password, secret, previous_valid_until, warning }, { home }) =>
    renderShownOnce(
      'New secrets',
      { Password: password, Secret: secret, 'Previous values valid until': previous_valid_until },
      html`${warning && html`<p role="alert">${warning}</p>`}
${password && html`<p>Log in to the console again, with the new password.</p>`}
<p><a href="${home}/api_keys">Back to the keys</a></p>`,
    ),
  ...{ to: '/api_keys', done: 'saved' },
}

/**
 * Requires the current password from a merchant, not from the administrator. @throws
 * errors.authentication.failed (182)
 */
async function provePassword(visit: MerchantVisit): Promise<void> {
  const { merchant, operator, parameters, dependencies, response } = visit
  if (operator.merchantId === undefined) return
  const password = text(pick(parameters, PASSWORD_FIELDS), 'old_password') ?? ''
  const address = `${findClientAddress(response.req)} in a session`
  const now = getExchange(response).getNow(merchant.id)
  const login = { username: String(merchant.id), password, address }
  await dependencies.authenticator.login(login, now)
}

const renderProvenForm = (
  visit: MerchantVisit,
  form: OperationForm,
  values: Readonly<Record<string, unknown>> = {},
): SafeHtml =>
  renderOperationForm(
    visit,
    {
      ...form,
      fields: { ...(visit.operator.merchantId === undefined ? {} : CURRENT), ...form.fields },
    },
    {
      values,
      after: html`<input name="username" value="${visit.merchant.id}" autocomplete="username" hidden>`,
    },
  )

const CURRENT: FormFields = {
  old_password: {
    label: 'Current password',
    kind: 'password',
    autocomplete: 'current-password',
    isRequired: true,
  },
}

/** Lists the previous secret and password while they are valid. */
async function previousFacts(visit: MerchantVisit): Promise<readonly Fact[]> {
  const { merchant, db, response } = visit
  const row = await needMerchant(db, merchant.id)
  const now = getExchange(response).getNow(merchant.id)
  const ends = {
    'Previous secret valid until': row.previous_secret_until,
    'Previous password valid until': row.previous_password_until,
  }
  return Object.entries(ends).flatMap(([name, until]) =>
    until !== null && now < until ? [[name, formatWireTime(until)] as const] : [],
  )
}

const API_PAGE: ConsolePage<MerchantVisit> = {
  path: '/api_keys',
  async show(visit) {
    const { merchant, dependencies } = visit
    const { base, pay } = dependencies.addresses
    return {
      title: 'API and keys',
      body: html`${renderFacts(
        [
          ['Merchant id', copied(merchant.id)],
          ['Name', merchant.name],
          ['API', copied(`${base}/v1`)],
          ['Payment page', copied(`${pay}/v1/form`)],
          ...(await previousFacts(visit)),
        ],
        'summary',
      )}
${await renderShopCode(visit)}
${renderSecretForms(visit)}`,
    }
  },
}

/** Page of the addresses, the keys, the password and the secret. */
export const API_PAGES: readonly ConsoleRoute<MerchantVisit>[] = [
  API_PAGE,
  formAct(PASSWORD, API_PAGE),
  formAct(ROTATE, API_PAGE),
  buttonAct('/settings/keys', 'merchants.renewKeys', { to: '/api_keys', done: 'keys_renewed' }),
]

/** Renders what a shop needs to call the API and to encrypt cards. */
async function renderShopCode(visit: MerchantVisit): Promise<SafeHtml> {
  const { merchant, dependencies, home } = visit
  const { addresses } = dependencies
  const { publicKey } = await dependencies.keys.of(merchant.id)
  const library = await readLibrary(dependencies.library)
  return html`<h2>An example call; curl asks for the password</h2>
${renderCodeBlock(`curl -u ${merchant.id} '${addresses.base}/v1/transactions?limit=1'`)}
<h2>The library, for the page with your payment form</h2>
${renderCodeBlock(`<script src="${addresses.cdn}/v2/mondido.js?merchant_id=${merchant.id}"></script>`)}
<h2>Keys and password</h2>
${
  library &&
  renderGroup(
    'Library with an integrity hash',
    'A browser runs only this exact file',
    html`<p class="hint">Replace the tag after each upgrade.</p>
${renderCodeBlock(writeLibraryTag(library, addresses, merchant, publicKey))}`,
  )
}
${renderGroup(
  'Public key',
  'Encrypts card data',
  html`${renderCodeBlock(publicKey)}
${renderButtonForm(visit, `${home}/settings/keys`, 'Create a new key pair')}
<p class="hint">Open pages that pay with <code>type: 'ajax'</code> fetch the new key.
A page that sets its own public key needs the new one.</p>`,
)}`
}

function renderSecretForms(visit: MerchantVisit): SafeHtml {
  const { merchant, dependencies } = visit
  const isFixed = getFixedSettings(dependencies, merchant.id) !== undefined
  const password = html`<p class="hint">A new password unlocks the account and ends all other sessions.
${isFixed ? 'The start-up configuration defines this merchant: the next start resets the password.' : null}</p>
${renderProvenForm(visit, PASSWORD)}`
  const rotation = html`<p class="hint">The previous values remain valid for the hours that you choose,
so that you can change your servers one after another.
The gateway signs answers, redirects and webhooks with the new secret immediately.
${
  isFixed
    ? 'Write the new values into the start-up configuration before the next start; otherwise the old values become valid again.'
    : null
}</p>
${renderProvenForm(visit, ROTATE, { id: merchant.id, part: 'both', hours: 24 })}`
  const isRefused = ({ name }: OperationForm) => findProblem(visit, name) !== null
  return html`${renderGroup('Password', 'Of the API and of this console', password, isRefused(PASSWORD))}
${renderGroup('Rotation', 'New secret and password, shown once', rotation, isRefused(ROTATE))}`
}

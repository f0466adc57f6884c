import { needMerchant, ROTATION_PARTS } from '../../../merchants/administer.ts'
import { PASSWORD_FIELDS, readNewPassword } from '../../../parsing/change-password.ts'
import { pick, text } from '../../../parsing/parameters/parameters.ts'
import { formatWireTime } from '../../../serializers/time.ts'
import { findClientAddress } from '../../http/client-address.ts'
import { getExchange } from '../../http/exchange.ts'
import { html, type SafeHtml } from '../../pages/html.ts'
import type { Fact } from '../parts/cells.ts'
import { type FormFields, labelChoices } from '../parts/forms.ts'
import {
  type OperationForm,
  renderOperationForm,
  renderShownOnce,
  runFromForm,
} from '../parts/operation-form.ts'
import { type MerchantVisit, readTexts } from '../visit.ts'

const NEW = { kind: 'password', autocomplete: 'new-password', isRequired: true } as const

/**
 * Sets a password; the administrator does not need the old one. Wrong ones are counted and lock
 * apart from logins: a logged-in user unlocks the merchant with a new password (specification:
 * Authentication, 4).
 */
export const PASSWORD: OperationForm = {
  ...{ name: 'password', path: '/settings/password', button: 'Change' },
  fields: {
    password: { ...NEW, label: 'New password' },
    password_again: { ...NEW, label: 'New password again' },
  },
  async run(visit) {
    const password = readNewPassword(visit.parameters)
    await provePassword(visit)
    return runFromForm(visit, 'merchants.update', { password })
  },
  ...{ to: '/settings', done: 'password_changed' },
  newSession: ({ operator }) => operator.merchantId !== undefined,
}

/** Replaces secret and password. Only the page of the response shows the new ones. */
export const ROTATE: OperationForm = {
  ...{ name: 'merchants.rotate', path: '/settings/rotate', button: 'Rotate' },
  fields: {
    part: { label: 'Rotate', choices: labelChoices(ROTATION_PARTS) },
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
<p><a href="${home}/settings">Back to the settings</a></p>`,
    ),
  ...{ to: '/settings', done: 'saved' },
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

export const renderProvenForm = (
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
export async function previousFacts(visit: MerchantVisit): Promise<readonly Fact[]> {
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

import { LAST_ID } from '../../domain/identifiers.ts'
import { isPreset, PRESET_NAMES, settingsOfPreset } from '../../domain/presets.ts'
import { problemsOf } from '../../domain/schema-problems.ts'
import { parseSettings, type SettingChanges } from '../../domain/setting-text.ts'
import type { OrderMerchant } from '../../merchants/administer.ts'
import { ROTATION_PARTS, type RotationRequest } from '../../merchants/rotate.ts'
import { DEFAULT_MERCHANT } from '../../merchants/seed.ts'
import { merchantSeed } from '../../merchants/seed-schema.ts'
import { checkPassword } from '../change-password.ts'
import { type CallParameters, object, type Parameters, text } from '../parameters/parameters.ts'
import { explainNeverSent } from '../webhooks.ts'
import { badFormat, pickOnly, wholeNumber } from './read.ts'

const CHANGED = ['name', 'password', 'secret', 'private_key', 'preset', 'settings'] as const

/** Parameters of a new merchant; all are optional. */
export const MERCHANT_FIELDS = ['id', ...CHANGED] as const

/** @throws errors.request.bad_format (253), errors.password_length (250) */
export const readNewMerchant = (parameters: Parameters): OrderMerchant => ({
  id: wholeNumber(pickOnly(parameters, MERCHANT_FIELDS), 'id', { least: 1, most: LAST_ID }),
  ...readAccount(parameters),
})

/**
 * Absent members stay unchanged. @throws errors.request.bad_format (253), errors.password_length
 * (250)
 */
export function readMerchantChanges(parameters: Parameters): Omit<OrderMerchant, 'id'> {
  pickOnly(parameters, CHANGED)
  return readAccount(parameters)
}

export const ROTATION_FIELDS = ['part', 'hours'] as const

/** Hours that the previous secrets stay valid after a rotation (our decision). */
const HOURS = { usual: 24, most: 24 * 90 } as const

/** @throws errors.request.bad_format (253) */
export function readRotation(
  sent: CallParameters<(typeof ROTATION_FIELDS)[number]>,
): RotationRequest {
  const named = text(sent, 'part') ?? 'both'
  const part = ROTATION_PARTS.find((each) => each === named)
  if (!part) throw badFormat(`part must be one of ${ROTATION_PARTS.join(', ')}.`)
  return { part, hours: wholeNumber(sent, 'hours', { least: 0, most: HOURS.most }) ?? HOURS.usual }
}

function readAccount(sent: Parameters): Omit<OrderMerchant, 'id'> {
  const password = text(sent, 'password')
  const read = accountSchema.safeParse({
    name: text(sent, 'name'),
    secret: text(sent, 'secret'),
    private_key: text(sent, 'private_key'),
  })
  if (!read.success) throw badFormat(`The merchant cannot be used: ${problemsOf(read.error)}.`)
  if (read.data.secret === DEFAULT_MERCHANT.secret)
    throw badFormat('This secret is a published default. Choose another.')
  return {
    ...read.data,
    password: password === undefined ? undefined : checkPassword(password),
    settings: { ...settingsOfPreset(readPreset(sent)), ...readSettings(sent) },
  }
}

const accountSchema = merchantSeed.pick({ name: true, secret: true, private_key: true }).partial()

/** @throws errors.request.bad_format (253) */
export function readPreset(sent: Parameters) {
  const name = text(sent, 'preset')
  if (name === undefined || isPreset(name)) return name
  throw badFormat(`preset must be one of ${PRESET_NAMES.join(', ')}.`)
}

function readSettings(sent: Parameters): SettingChanges {
  const given = object(sent, 'settings', 'errors.request.bad_format') ?? {}
  const { changes, problems } = parseSettings(JSON.parse(JSON.stringify(given)))
  const neverSent = (changes.webhooks ?? []).flatMap((webhook) => explainNeverSent(webhook) ?? [])
  if (neverSent[0] !== undefined) throw badFormat(`The settings cannot be used: ${neverSent[0]}`)
  const [first] = Object.entries(problems).map(([name, problem]) => `${name}: ${problem}`)
  if (first === undefined) return changes
  throw badFormat(`The settings cannot be used: ${first}.`)
}

import { z } from 'zod'
import {
  type GivenSettings,
  type MerchantSettings,
  SETTING_NAMES,
  type SettingName,
} from './merchant.ts'
import { formatProblems } from './schema-problems.ts'
import { givenSettings } from './setting-schema.ts'

/** Settings to change; null restores a default. */
export type SettingChanges = { readonly [Name in SettingName]?: GivenSettings[Name] | null }

/** Valid changes, and the problems of the others, by name. */
interface ParsedSettings {
  readonly changes: SettingChanges
  readonly problems: Readonly<Record<string, string>>
}

/**
 * Parses settings written by people and programs: JSON values, or texts. Lists may be
 * comma-separated; an empty text and null mean the default.
 */
export function parseSettings(sent: Readonly<Record<string, unknown>>): ParsedSettings {
  const changes: Record<string, unknown> = {}
  const problems: Record<string, string> = {}
  for (const [name, value] of Object.entries(sent)) {
    const setting = SETTING_NAMES.find((each) => each === name)
    if (!setting) problems[name] = 'there is no such setting'
    else if (value === null || value === '') changes[name] = null
    else {
      const result = parseSetting(setting, value)
      if (result.success) changes[name] = result.data
      else problems[name] = formatProblems(result.error)
    }
  }
  return { changes, problems }
}

/** Returns the first valid interpretation, or else the problems of the closest one. */
function parseSetting(name: SettingName, value: unknown): z.ZodSafeParseResult<unknown> {
  const schema = givenSettings.shape[name]
  const readings = typeof value === 'string' ? listInterpretations(value) : [value]
  const tried = readings.map((reading) => schema.safeParse(reading))
  return (
    tried.find(({ success }) => success) ??
    tried.reduce((least, each) => (depth(each) > depth(least) ? each : least))
  )
}

/** Measures how much of a value a schema accepted before its first problem. */
const depth = ({ error }: z.ZodSafeParseResult<unknown>): number =>
  Math.max(
    0,
    ...(error?.issues ?? []).map(
      ({ path, code }) => path.length * 2 + (code === 'invalid_type' ? 0 : 1),
    ),
  )

/**
 * Lists the possible meanings of a text: JSON, a list separated by commas or line breaks, or the
 * text itself.
 */
function listInterpretations(text: string): unknown[] {
  const list = text
    .split(/[,\n]/)
    .map((each) => each.trim())
    .filter((each) => each !== '')
  try {
    return [JSON.parse(text), list, text]
  } catch {
    return [list, text]
  }
}

/** Input field of a setting in a form. */
interface SettingField {
  /** A choice, a number, one line of text, or JSON. */
  readonly kind: 'choice' | 'number' | 'line' | 'json'
  /** Allowed values, if there are few; for a list, its allowed members. */
  readonly choices: readonly string[]
}

/** Derives the input field from the setting's schema. */
export function describeSetting(name: SettingName): SettingField {
  const schema = givenSettings.shape[name].unwrap()
  if (schema instanceof z.ZodBoolean) return { kind: 'choice', choices: ['true', 'false'] }
  if (schema instanceof z.ZodEnum) return { kind: 'choice', choices: schema.options.map(String) }
  if (schema instanceof z.ZodNumber) return { kind: 'number', choices: [] }
  if (schema instanceof z.ZodString) return { kind: 'line', choices: [] }
  const held = schema instanceof z.ZodArray ? schema.element : undefined
  if (held instanceof z.ZodEnum) return { kind: 'line', choices: held.options.map(String) }
  return {
    kind: held instanceof z.ZodString || held instanceof z.ZodNumber ? 'line' : 'json',
    choices: [],
  }
}

/** Formats a setting so that `parseSettings` can read it. */
export function formatSetting(value: MerchantSettings[SettingName]): string {
  if (typeof value !== 'object') return String(value ?? '')
  if (Array.isArray(value) && value.length > 0 && value.every((each) => typeof each !== 'object'))
    return value.join(', ')
  return JSON.stringify(value, null, 2)
}

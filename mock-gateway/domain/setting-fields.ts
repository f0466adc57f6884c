import { z } from 'zod'
import { givenSettings, type MerchantSettings, type SettingName } from './merchant.ts'

/** How a setting is written in a form. */
export interface SettingField {
  /** A choice of few, a number, a text on one line, or JSON. */
  readonly kind: 'choice' | 'number' | 'line' | 'json'
  /** All there are, where there are few; of a list, what it may hold. */
  readonly choices: readonly string[]
}

/** What the schema of a setting makes of it in a form. */
export function settingFieldOf(name: SettingName): SettingField {
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

/** A setting as `parseSettings` reads it again. */
export function settingText(value: MerchantSettings[SettingName]): string {
  if (typeof value !== 'object') return String(value ?? '')
  if (Array.isArray(value) && value.length > 0 && value.every((each) => typeof each !== 'object'))
    return value.join(', ')
  return JSON.stringify(value, null, 2)
}

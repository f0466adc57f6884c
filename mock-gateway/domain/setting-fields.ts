import { z } from 'zod'
import type { MerchantSettings, SettingName } from './merchant.ts'
import { givenSettings } from './setting-schema.ts'

/** Input field of a setting in a form. */
export interface SettingField {
  /** A choice, a number, one line of text, or JSON. */
  readonly kind: 'choice' | 'number' | 'line' | 'json'
  /** Allowed values, if there are few; for a list, its allowed members. */
  readonly choices: readonly string[]
}

/** Derives the input field from the setting's schema. */
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

/** Formats a setting so that `parseSettings` can read it. */
export function settingText(value: MerchantSettings[SettingName]): string {
  if (typeof value !== 'object') return String(value ?? '')
  if (Array.isArray(value) && value.length > 0 && value.every((each) => typeof each !== 'object'))
    return value.join(', ')
  return JSON.stringify(value, null, 2)
}

import type { z } from 'zod'
import { type GivenSettings, givenSettings, SETTING_NAMES, type SettingName } from './merchant.ts'
import { problemsOf } from './schema-problems.ts'

/** Settings to be set; null gives one its default back. */
export type SettingChanges = { readonly [Name in SettingName]?: GivenSettings[Name] | null }

/** What settings are to be, and what is wrong with those that cannot be used, by their names. */
export interface ParsedSettings {
  readonly changes: SettingChanges
  readonly problems: Readonly<Record<string, string>>
}

/**
 * Reads settings as people and programs write them: values of JSON, or texts that stand for them. A
 * list may be written with commas; an empty text, and null, is the default.
 */
export function parseSettings(sent: Readonly<Record<string, unknown>>): ParsedSettings {
  const changes: Record<string, unknown> = {}
  const problems: Record<string, string> = {}
  for (const [name, value] of Object.entries(sent)) {
    const setting = SETTING_NAMES.find((each) => each === name)
    if (!setting) problems[name] = 'there is no such setting'
    else if (value === null || value === '') changes[name] = null
    else {
      const read = parseSetting(setting, value)
      if (read.success) changes[name] = read.data
      else problems[name] = problemsOf(read.error)
    }
  }
  return { changes, problems }
}

/** The first reading that the setting takes; else what is wrong with the plainest. */
function parseSetting(name: SettingName, value: unknown): z.ZodSafeParseResult<unknown> {
  const schema = givenSettings.shape[name]
  const readings = typeof value === 'string' ? interpretationsOf(value) : [value]
  const tried = readings.map((reading) => schema.safeParse(reading))
  return (
    tried.find(({ success }) => success) ??
    tried.reduce((least, each) => (depth(each) > depth(least) ? each : least))
  )
}

/** How far into a value a schema came before it found something wrong. */
const depth = ({ error }: z.ZodSafeParseResult<unknown>): number =>
  Math.max(
    0,
    ...(error?.issues ?? []).map(
      ({ path, code }) => path.length * 2 + (code === 'invalid_type' ? 0 : 1),
    ),
  )

/** What a text may stand for: a value of JSON, a list with commas or on lines, or itself. */
function interpretationsOf(text: string): unknown[] {
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

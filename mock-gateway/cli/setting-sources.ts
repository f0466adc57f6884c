import { existsSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { isObject, type JsonObject, type JsonValue } from '../domain/json.ts'
import { type FlagTable, type FlagValues, parseFlags } from './flags.ts'
import {
  getKeyInFile,
  SETTINGS,
  type Setting,
  type SettingName,
  settingsList,
} from './settings-table.ts'
import { findReason, StartError } from './start-error.ts'

/** Value of a setting, with its source. */
export interface GivenSetting {
  /**
   * A text, or the value in the configuration file instead of a file's path. `true` for a flag
   * without a value.
   */
  readonly value: JsonValue
  /** Place that set it: `--port`, `PORT`, or `mondido.config.json: port`. */
  readonly from: string
}

/** A source of settings: flags, environment, or configuration file. */
export interface Source {
  get(name: SettingName): GivenSetting | undefined
  /**
   * True if settings that exclude each other are rejected. An environment may contain more
   * variables than are needed.
   */
  readonly isExact: boolean
}

/** Returns a setting, from one source or the first that has it. */
export type GetSetting = Source['get']

export type Environment = Readonly<Record<string, string | undefined>>

/** The configuration file that is read by default. */
const CONFIG_FILE = 'mondido.config.json'

/** Flags that are not settings. */
const OTHER_FLAGS = {
  config: { takes: 'file' },
  'print-config': {},
  'print-schema': {},
  help: { short: 'h' },
  version: { short: 'v' },
} as const

/** Flags by their names. */
export type Flags = FlagValues<FlagTable & typeof OTHER_FLAGS>

/** @throws StartError with exit code 2 */
export function readFlags(argv: readonly string[]): Flags {
  const refuse = (sentence: string) => new StartError(`${sentence}. See --help.`, 2)
  const { values, words } = parseFlags({ ...SETTINGS, ...OTHER_FLAGS }, argv, refuse)
  if (words.length > 0) throw refuse(`Unexpected argument '${words[0]}'`)
  return values
}

/**
 * Reads settings; the first source that has a value takes precedence.
 * @param defaults of a command, written as variables
 * @throws StartError with exit code 2 if the configuration file cannot be used
 */
export function listSources(
  flags: Flags,
  env: Environment,
  defaults: Environment,
): readonly Source[] {
  const named = flags.config ?? (env.MONDIDO_CONFIG || undefined)
  return [
    createFlagSource(flags),
    createEnvironmentSource(env),
    ...readConfigFile(typeof named === 'string' ? named : undefined),
    createEnvironmentSource(defaults),
  ]
}

const createFlagSource = (flags: Flags): Source => ({
  isExact: true,
  get: (name) => createSetting(flags[name], `--${name}`),
})

/**
 * Returns true for a variable that counts as unset: an empty one, or a switch with the value 0 or
 * false.
 */
const createEnvironmentSource = (env: Environment): Source => ({
  isExact: false,
  get(name) {
    const { env: variable, takes }: Setting = SETTINGS[name]
    const text = env[variable]
    if (!text || (!takes && /^(0|false)$/.test(text))) return undefined
    return createSetting(takes ? text : true, variable)
  },
})

const createSetting = (value: JsonValue | undefined, from: string): GivenSetting | undefined =>
  value === undefined ? undefined : { value, from }

function readConfigFile(named: string | undefined): readonly Source[] {
  const file = resolve(named ?? CONFIG_FILE)
  if (named === undefined && !existsSync(file)) return []
  const values = readConfig(file, named ?? CONFIG_FILE)
  return [
    {
      isExact: true,
      get: (name) =>
        createSetting(values.get(name), `${named ?? CONFIG_FILE}: ${getKeyInFile(name)}`),
    },
  ]
}

function readConfig(file: string, shown: string): ReadonlyMap<SettingName, JsonValue> {
  const config = parseConfig(file, shown)
  const values = new Map<SettingName, JsonValue>()
  for (const [key, value] of Object.entries(config)) {
    if (key === '$schema') continue
    const setting = settingsList.find(({ name }) => getKeyInFile(name) === key)
    if (!setting)
      throw new StartError(`${shown} has "${key}", which is not a setting${suggestName(key)}`, 2)
    const read = readValue(setting, value, dirname(file))
    if (read === undefined)
      throw new StartError(`${shown}: ${key} must be ${describeExpected(setting)}.`, 2)
    if (read !== false) values.set(setting.name, read)
  }
  return values
}

function parseConfig(file: string, shown: string): JsonObject {
  try {
    const config: JsonValue = JSON.parse(readFileSync(file, 'utf8'))
    if (isObject(config)) return config
  } catch (error) {
    throw new StartError(`The configuration file ${shown} cannot be used: ${findReason(error)}.`, 2)
  }
  throw new StartError(
    `The configuration file ${shown} cannot be used: it must be an object, such as {"port": 4411}.`,
    2,
  )
}

/** @returns undefined if it has the wrong type */
function readValue(
  { takes, isPath, mayBeInline }: Setting,
  value: JsonValue,
  folder: string,
): JsonValue | undefined {
  if (!takes) return typeof value === 'boolean' ? value : undefined
  if (mayBeInline && typeof value === 'object' && value !== null) return value
  if (typeof value === 'number' && takes === 'number') return String(value)
  if (typeof value !== 'string' || value === '') return undefined
  return isPath ? resolve(folder, value) : value
}

function describeExpected({ takes, mayBeInline, isPath }: Setting): string {
  if (!takes) return 'true or false'
  if (mayBeInline) return 'the path of a file, or the contents of the file'
  if (isPath) return `the path of a ${takes}`
  return takes === 'number' ? 'a number' : 'a text'
}

/** Returns the suggestion `; did you mean "port"?` if a known name is near. */
function suggestName(key: string): string {
  const plain = (text: string) => text.toLowerCase().replace(/[^a-z]/g, '')
  const letters = (text: string) => [...plain(text)].sort().join('')
  const near = settingsList
    .map(({ name, env }) => ({ name: getKeyInFile(name), spellings: [name, env] }))
    .find(({ spellings }) =>
      spellings.some(
        (spelling) =>
          plain(spelling) === plain(key) ||
          letters(spelling) === letters(key) ||
          (plain(key).length > 3 && plain(spelling).startsWith(plain(key))),
      ),
    )
  return near ? `; did you mean "${near.name}"?` : '; --help lists them all.'
}

/** Returns a setting from the first source that has it; undefined if it is turned off there. */
export function findSetting(
  sources: readonly Source[],
  name: SettingName,
): GivenSetting | undefined {
  const first = sources.map((source) => source.get(name)).find((given) => given !== undefined)
  return first?.value === false ? undefined : first
}

/** Returns the content of a file, or of the configuration file's inline value. */
export function readContent(given: GivenSetting | undefined, what: string): unknown {
  if (typeof given?.value !== 'string') return given?.value
  try {
    return JSON.parse(readFileSync(given.value, 'utf8'))
  } catch (error) {
    throw new StartError(`The ${what} file ${given.value} cannot be used: ${findReason(error)}.`, 2)
  }
}

import { z } from 'zod'
import { fixtures } from '../merchants/fixtures.ts'
import { merchantSeed } from '../merchants/seed-schema.ts'
import { getKeyInFile, type Setting, settingsList } from './settings-table.ts'

/**
 * The JSON schema (2020-12) of `mondido.config.json`, from the table of settings; editors complete
 * and check by it.
 */
export function createConfigSchema(): object {
  const { $defs, properties = {} } = z.toJSONSchema(INLINE, { io: 'input', unrepresentable: 'any' })
  const rows = settingsList.map((setting) => [
    getKeyInFile(setting.name),
    createSchema(setting, properties[setting.name]),
  ])
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Settings of mondido-gateway',
    type: 'object',
    properties: { $schema: TEXT, ...Object.fromEntries(rows) },
    additionalProperties: false,
    $defs,
  }
}

/** Inline values instead of files; rules that a schema cannot express are checked at start. */
const INLINE = z.object({ merchants: z.array(merchantSeed), fixtures })

const TEXT = { type: 'string', minLength: 1 }

function createSchema({ takes, help, oneOf }: Setting, inline: unknown): object {
  const described = { description: help }
  if (!takes) return { ...described, type: 'boolean' }
  if (takes === 'number') return { ...described, type: 'integer', minimum: 0, maximum: 65_535 }
  if (oneOf) return { ...described, enum: oneOf }
  return { ...described, ...(inline ? { anyOf: [TEXT, inline] } : TEXT) }
}

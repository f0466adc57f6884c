import { z } from 'zod'
import { badFormat } from '../domain/errors/errors.ts'
import { LAST_ID } from '../domain/identifiers.ts'
import { getPresetSettings, PRESET_NAMES, PRESETS } from '../domain/presets.ts'
import { parseSettings, type SettingChanges } from '../domain/setting-schema.ts'
import {
  changeMerchant,
  createMerchant,
  getFixedSettings,
  needMerchant,
  ROTATION_PARTS,
  renewKeys,
  rotateSecrets,
} from '../merchants/administer.ts'
import { DEFAULT_MERCHANT } from '../merchants/seed.ts'
import { merchantSeed } from '../merchants/seed-schema.ts'
import { checkPassword } from '../parsing/change-password.ts'
import { formatWireTime } from '../serializers/time.ts'
import { listMerchants } from '../storage/merchants.ts'
import type { MerchantRow } from '../storage/tables/merchants.ts'
import { type OperationContext, operation, type Subject } from './operation.ts'
import { anyObject, idInPath, page, pickFields, time, wholeNumber } from './shapes.ts'

const preset = z
  .enum(PRESET_NAMES)
  .optional()
  .meta({
    description: 'A set of settings for an old client; values in `settings` override it.',
    examples: ['woocommerce-3'],
  })

const { name, secret, private_key } = merchantSeed.shape

/** Fields of a merchant that a request can set. */
const account = {
  name: name.describe('The name on the payment page.'),
  password: z.string().optional().meta({
    minLength: 6,
    maxLength: 256,
    description:
      'If omitted for a new merchant, a password is generated. Hashing a password that you send takes 50 ms.',
  }),
  secret: secret.optional().describe('Secret of the hashes.'),
  private_key: private_key.describe(
    'PEM of an RSA key of at least 2048 bits. If omitted: generated when first needed.',
  ),
  preset,
  settings: anyObject.optional().meta({
    description:
      'Settings by name, as listed in docs/reference/settings.md; null resets a setting to its default.',
    examples: [{ strict_hash: true }],
  }),
}

type Account = z.output<z.ZodObject<typeof account>>

/** @throws errors.password_length (250), errors.request.bad_format (253) */
function readAccount({ password, preset: chosen, settings = {}, ...rest }: Account) {
  if (rest.secret === DEFAULT_MERCHANT.secret)
    throw badFormat('This secret is a published default. Choose another.')
  return {
    ...rest,
    password: password === undefined ? undefined : checkPassword(password),
    settings: { ...getPresetSettings(chosen), ...readSettings(settings) },
  }
}

function readSettings(sent: Readonly<Record<string, unknown>>): SettingChanges {
  const { changes, problems } = parseSettings(sent)
  const [first] = Object.entries(problems)
  if (first === undefined) return changes
  throw badFormat(`The settings cannot be used: ${first.join(': ')}.`)
}

const line = z
  .object({ id: z.int(), name: z.string(), created_at: time, updated_at: time })
  .meta({ id: 'MerchantLine' })

const shown = z.object({
  ...line.shape,
  given_at_start: z
    .boolean()
    .describe(
      'true: a configured merchant. The next start resets its name, password and secret to the configured values.',
    ),
  settings: anyObject.describe('All settings with their current values.'),
  changed_settings: z
    .array(z.string())
    .describe('Settings that were changed while the gateway ran.'),
  fixed_settings: z
    .array(z.string())
    .describe('Settings of the start-up configuration. Change them there.'),
})
const merchant = shown.meta({ id: 'Merchant' })

const presentLine = (row: Pick<MerchantRow, 'id' | 'name' | 'created_at' | 'updated_at'>) =>
  pickFields(line, {
    ...row,
    created_at: formatWireTime(row.created_at),
    updated_at: formatWireTime(row.updated_at),
  })

/** Leaves out password and secret, which are only returned once. */
function presentMerchant(sandbox: OperationContext, row: MerchantRow) {
  const fixed = getFixedSettings(sandbox, row.id)
  return {
    ...presentLine(row),
    given_at_start: fixed !== undefined,
    settings: { ...row.settings },
    changed_settings: Object.keys(row.setting_changes),
    fixed_settings: Object.keys(fixed ?? {}),
  }
}

const keys = z.object({ public_key: z.string().describe('PEM.') })
const describeKeys = async (sandbox: OperationContext, id: number) => ({
  public_key: (await sandbox.keys.of(id)).publicKey,
})

const CREATE_MERCHANT = operation({
  name: 'merchants.create',
  route: 'POST /merchants',
  does: 'Creates a merchant; omitted values are generated and shown only in this answer',
  whose: 'none',
  input: z.object({
    id: wholeNumber(1, LAST_ID).optional().describe('If omitted: the next free id.'),
    ...account,
  }),
  output: shown.extend({
    password: z.string(),
    secret: z.string().describe('Secret for calculating and checking hashes.'),
  }),
  async run(sandbox, { id, ...sent }) {
    const created = await createMerchant(sandbox, { id, ...readAccount(sent) }, sandbox.now)
    const { password } = created
    return {
      ...presentMerchant(sandbox, created.merchant),
      password,
      secret: created.merchant.secret,
    }
  },
})

const ROTATE = operation({
  name: 'merchants.rotate',
  route: 'POST /merchants/:id/rotate',
  does: 'Creates a new secret and password, shown only in this answer; the previous ones remain valid for a while',
  whose: 'none',
  input: z.object({
    ...idInPath,
    part: z.enum(ROTATION_PARTS).default('both'),
    hours: wholeNumber(0, 24 * 90)
      .default(24)
      .describe('Hours that the previous secret and password remain valid.'),
  }),
  output: z.object({
    id: z.int(),
    secret: z.string().nullable(),
    password: z.string().nullable(),
    warning: z
      .string()
      .nullable()
      .describe(
        'How the next start would undo the rotation; null if the merchant is not a configured merchant.',
      ),
    previous_valid_until: time,
  }),
  async run(sandbox, { id, ...order }) {
    const { until, ...rotation } = await rotateSecrets(sandbox, id, order, sandbox.getNow(id))
    sandbox.changes.publish({ merchantId: id, topic: 'sessions' })
    return { id, ...rotation, previous_valid_until: formatWireTime(until) }
  },
})

export const MERCHANTS: Subject = {
  title: 'Merchants',
  about: 'Merchants with their settings and keys.',
  operations: [
    operation({
      name: 'merchants.list',
      route: 'GET /merchants',
      does: 'Lists the merchants',
      whose: 'none',
      input: z.object(page),
      output: z.array(line),
      run: async ({ database }, part) => (await listMerchants(database.db, part)).map(presentLine),
    }),
    CREATE_MERCHANT,
    operation({
      name: 'merchants.presets',
      route: 'GET /merchants/presets',
      does: 'Lists the settings for old clients',
      whose: 'none',
      output: z.array(
        z.object({
          name: z.string(),
          client: z.string().describe('Name of the old client.'),
          settings: anyObject,
          why: z.string().describe('Why the client needs these settings.'),
        }),
      ),
      run: () =>
        Object.entries(PRESETS).map(([called, { client, settings, why }]) => ({
          name: called,
          client,
          settings: { ...settings },
          why,
        })),
    }),
    operation({
      name: 'merchants.show',
      route: 'GET /merchants/:id',
      does: 'Shows a merchant and its settings',
      whose: 'none',
      input: z.object(idInPath),
      output: merchant,
      run: async (sandbox, { id }) =>
        presentMerchant(sandbox, await needMerchant(sandbox.database.db, id)),
    }),
    operation({
      name: 'merchants.update',
      route: 'PUT /merchants/:id',
      does: 'Changes a merchant; omitted fields do not change',
      whose: 'none',
      input: z.object({ ...idInPath, ...account }),
      output: merchant,
      async run(sandbox, { id, ...sent }) {
        const row = await changeMerchant(sandbox, id, readAccount(sent), sandbox.now)
        sandbox.changes.publish({ merchantId: id, topic: 'sessions' })
        return presentMerchant(sandbox, row)
      },
    }),
    operation({
      name: 'merchants.keys',
      route: 'GET /merchants/:id/keys',
      does: 'Shows the public key that the library encrypts with; the first call creates it',
      whose: 'none',
      input: z.object(idInPath),
      output: keys,
      async run(sandbox, { id }) {
        await needMerchant(sandbox.database.db, id)
        return describeKeys(sandbox, id)
      },
    }),
    operation({
      name: 'merchants.renewKeys',
      route: 'POST /merchants/:id/keys',
      does: 'Creates a new key pair; open pages with the served library fetch the new public key',
      whose: 'none',
      input: z.object(idInPath),
      output: keys,
      async run(sandbox, { id }) {
        await renewKeys(sandbox, id, sandbox.now)
        return describeKeys(sandbox, id)
      },
    }),
    ROTATE,
  ],
}

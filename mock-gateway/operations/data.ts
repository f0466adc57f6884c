import { z } from 'zod'
import { GatewayError } from '../domain/errors/errors.ts'
import { exportFixtures } from '../merchants/export-fixtures.ts'
import { readFixtures } from '../merchants/fixtures.ts'
import { loadFixtures } from '../merchants/load-fixtures.ts'
import { clearSeed, setSeed } from '../merchants/random-seeds.ts'
import { reset } from '../merchants/reset.ts'
import { deleteSnapshot, restoreSnapshot, saveSnapshot } from '../merchants/snapshots.ts'
import { formatWireTime } from '../serializers/time.ts'
import { listSnapshots } from '../storage/snapshots.ts'
import type { SnapshotRow } from '../storage/tables/snapshots.ts'
import { type OperationContext, operation, type Subject } from './operation.ts'
import { time, whose } from './shapes.ts'

const snapshotName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/)
  .meta({
    id: 'SnapshotName',
    description: 'Letters, digits, dots, hyphens and underscores.',
    says: '1 to 64 letters, digits, dots, hyphens and underscores, beginning with a letter or a digit',
    examples: ['before-dunning'],
  })

const snapshot = z
  .object({
    name: snapshotName,
    payments: z.int().describe('Number of transactions in the snapshot.'),
    saved_at: time,
  })
  .meta({ id: 'Snapshot' })
const snapshots = z.object({ snapshots: z.array(snapshot) })
const named = z.object({ name: snapshotName })

const presentSnapshot = ({ name, payments, saved_at }: SnapshotRow) => ({
  name,
  payments,
  saved_at: formatWireTime(saved_at),
})

/** @throws GatewayError errors.request.bad_format: a restore would change every merchant */
function refuseMerchant({ merchantId }: OperationContext): void {
  if (merchantId !== undefined)
    throw new GatewayError('errors.request.bad_format', {
      explain: 'A snapshot contains the data of all merchants. Leave merchant_id out.',
    })
}

const savedIn = async ({ database }: OperationContext) => ({
  snapshots: (await listSnapshots(database.db)).map(presentSnapshot),
})

const rows = z
  .unknown()
  .optional()
  .meta({ type: 'array', items: { type: 'object' } })
const fixtures = z
  .object({
    merchants: rows,
    templates: rows,
    plans: rows,
    payment_links: rows,
    customers: rows,
    stored_cards: rows,
    transactions: rows,
  })
  .meta({
    id: 'Fixtures',
    description:
      'All data as one object, described in docs/reference/control.md. Omitted fields have their defaults.',
  })

const seeded = z.object({ merchant_id: whose, seeded: z.boolean() })
const describeSeed = ({ chance, merchantId }: OperationContext) => ({
  merchant_id: merchantId ?? null,
  seeded: chance.isSeeded(merchantId),
})

export const DATA: Subject = {
  title: 'Data',
  about: 'Reset, snapshots, random seed, and files of data.',
  operations: [
    operation({
      name: 'data.reset',
      route: 'POST /reset',
      does: 'Deletes all data of merchants; the merchants themselves remain',
      output: z.object({ merchant_id: whose, reset: z.literal(true) }),
      async run(sandbox) {
        await reset(sandbox, sandbox.merchantId)
        return { merchant_id: sandbox.merchantId ?? null, reset: true as const }
      },
    }),
    operation({
      name: 'snapshots.list',
      route: 'GET /snapshots',
      does: 'Lists the snapshots',
      whose: 'none',
      output: snapshots,
      run: savedIn,
    }),
    operation({
      name: 'snapshots.save',
      route: 'POST /snapshots',
      does: 'Saves the data of all merchants under a name; replaces a snapshot with this name',
      whose: 'none',
      input: named,
      output: snapshot,
      run: async (sandbox, { name }) => {
        refuseMerchant(sandbox)
        return presentSnapshot(await saveSnapshot(sandbox, name))
      },
    }),
    operation({
      name: 'snapshots.restore',
      route: 'POST /snapshots/:name/restore',
      does: 'Restores the data of all merchants, clocks, random seeds and next ids from a snapshot',
      whose: 'none',
      input: named,
      output: snapshot,
      run: async (sandbox, { name }) => {
        refuseMerchant(sandbox)
        return presentSnapshot(await restoreSnapshot(sandbox, name, sandbox.changes))
      },
    }),
    operation({
      name: 'snapshots.delete',
      route: 'DELETE /snapshots/:name',
      does: 'Deletes a snapshot; the data stay as they are',
      whose: 'none',
      input: named,
      output: snapshots,
      async run(sandbox, { name }) {
        refuseMerchant(sandbox)
        await deleteSnapshot(sandbox, name)
        return savedIn(sandbox)
      },
    }),
    operation({
      name: 'seed.show',
      route: 'GET /seed',
      does: 'Shows whether tokens and references are predictable',
      output: seeded,
      run: describeSeed,
    }),
    operation({
      name: 'seed.set',
      route: 'POST /seed',
      does: 'Makes tokens and references predictable, with a random seed',
      input: z.object({ seed: z.string().min(1).max(200) }),
      output: seeded,
      async run(sandbox, { seed }) {
        await setSeed(sandbox, seed, sandbox.merchantId)
        return describeSeed(sandbox)
      },
    }),
    operation({
      name: 'seed.clear',
      route: 'DELETE /seed',
      does: 'Makes tokens and references random again',
      output: seeded,
      async run(sandbox) {
        await clearSeed(sandbox, sandbox.merchantId)
        return describeSeed(sandbox)
      },
    }),
    operation({
      name: 'fixtures.export',
      route: 'GET /fixtures',
      does: 'Returns all data as a file (fixtures)',
      output: fixtures,
      run: ({ database, merchantId }) =>
        exportFixtures(database, merchantId) as Promise<z.output<typeof fixtures>>,
    }),
    operation({
      name: 'fixtures.load',
      route: 'POST /fixtures',
      does: 'Adds the data of a file (fixtures)',
      whose: 'none',
      input: fixtures,
      output: z.object({
        loaded: z.record(z.string(), z.int()).describe('Number of rows of each kind.'),
        problems: z.array(
          z.object({
            line: z.int().nullable(),
            message: z.string(),
            merchant_id: z.int(),
            template_id: z.int(),
          }),
        ),
      }),
      run: ({ database, templates, chance, now }, file) =>
        loadFixtures(
          {
            database,
            now,
            randomBytes: chance.randomBytes,
            checkTemplate: (row) => templates.checkTemplate(database.db, row),
          },
          readFixtures(file),
        ),
    }),
  ],
}

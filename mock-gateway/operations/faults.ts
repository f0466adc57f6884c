import { z } from 'zod'
import { FAULT_KINDS, isTimed } from '../domain/fault-kinds.ts'
import type { FaultRow } from '../storage/tables/sandbox.ts'
import { notThere, type OperationContext, operation, type Subject } from './operation.ts'
import { idInPath, timeOrNull, wholeNumber, whose } from './shapes.ts'

/** Methods of the requests that a fault can affect. */
export const FAULT_METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'HEAD'] as const

const kind = z
  .enum(FAULT_KINDS as [(typeof FAULT_KINDS)[number]])
  .meta({ id: 'FaultKind', description: 'What the client receives.' })

const fault = z
  .object({
    id: z.int(),
    kind,
    milliseconds: z.int(),
    method: z.string().nullable(),
    path: z.string().nullable(),
    merchant_id: whose,
    times: z.int().describe('Number of requests to affect; 0: until it is deleted.'),
    until: z.string().nullable().meta({
      description: 'End of a fault with a duration.',
      format: 'date-time',
    }),
    probability: z.number(),
    struck: z.int().describe('Number of affected requests.'),
  })
  .meta({ id: 'Fault' })

const faults = z.object({ faults: z.array(fault) })

const list = async (sandbox: OperationContext, merchantId?: number) => ({
  faults: (await sandbox.faults.list(merchantId)).map(presentFault),
})

const presentFault = ({ seed: _seed, drawn: _drawn, times, until, ...row }: FaultRow) => ({
  ...row,
  times: times ?? 0,
  until: timeOrNull(until),
})

const PAYMENT = { method: 'POST', path: '/v1/transactions' } as const

const INJECT_FAULT = operation({
  name: 'faults.inject',
  route: 'POST /faults',
  does: 'Injects a fault: delays, replaces or loses the answers to the next requests',
  input: z
    .object({
      kind,
      milliseconds: wholeNumber(1, 120_000)
        .optional()
        .describe('Length of a latency or late_answer. Only for these kinds.'),
      path: z
        .string()
        .regex(/^\/.{0,199}$/s)
        .optional()
        .meta({
          description: 'Start of the path.',
          says: 'the start of a path, such as /v1/transactions',
          examples: ['/v1/transactions'],
        }),
      method: z.enum(FAULT_METHODS).optional(),
      times: wholeNumber(0, 1_000_000)
        .optional()
        .describe(
          'Number of requests to affect. By default one, or all during the seconds; 0: until the fault is deleted.',
        ),
      seconds: wholeNumber(1, 86_400)
        .optional()
        .describe('Duration of the fault in seconds of machine time.'),
      probability: z
        .number()
        .gt(0)
        .max(1)
        .default(1)
        .describe('Share of the requests that are affected, such as 0.1.'),
      seed: z
        .string()
        .max(200)
        .default('')
        .describe('Random seed: the same seed affects the same requests.'),
    })
    .refine(({ kind: one, milliseconds }) => isTimed(one) === (milliseconds !== undefined), {
      path: ['milliseconds'],
      error:
        'milliseconds is the length of a latency or late_answer. Send it with these kinds, and only with them.',
    }),
  output: fault,
  examples: [
    {
      says: 'Slow for a minute',
      input: { kind: 'latency', milliseconds: 3000, seconds: 60 },
    },
    { says: '503 for a minute', input: { kind: 'unavailable', seconds: 60 } },
    {
      says: 'Lose a payment’s answer',
      input: { kind: 'drop', ...PAYMENT },
    },
    {
      says: '502 to a payment',
      input: { kind: 'bad_gateway', ...PAYMENT },
    },
    {
      says: 'A payment 10 s late',
      input: { kind: 'late_answer', milliseconds: 10_000, ...PAYMENT },
    },
    {
      says: '503 to every tenth',
      input: { kind: 'unavailable', probability: 0.1, times: 0 },
    },
  ],
  async run(sandbox, { milliseconds = 0, method = null, path = null, ...rest }) {
    const { seconds = null, times = seconds === null ? 1 : 0 } = rest
    const added = await sandbox.faults.add({
      ...{ milliseconds, method, path, seconds },
      ...{ kind: rest.kind, probability: rest.probability, seed: rest.seed },
      merchant_id: sandbox.merchantId ?? null,
      times: times === 0 ? null : times,
    })
    return presentFault(added)
  },
})

export const FAULTS: Subject = {
  title: 'Faults',
  about: 'Errors that you inject into the next requests.',
  operations: [
    operation({
      name: 'faults.list',
      route: 'GET /faults',
      does: 'Lists the injected faults, and how many requests each has affected',
      output: faults,
      run: (sandbox) => list(sandbox, sandbox.merchantId),
    }),
    INJECT_FAULT,
    operation({
      name: 'faults.clear',
      route: 'DELETE /faults',
      does: 'Deletes all faults',
      output: faults,
      async run(sandbox) {
        await sandbox.faults.clear(sandbox.merchantId)
        return list(sandbox, sandbox.merchantId)
      },
    }),
    operation({
      name: 'faults.remove',
      route: 'DELETE /faults/:id',
      does: 'Deletes one fault',
      input: z.object(idInPath),
      output: faults,
      async run(sandbox, { id }) {
        const own = await sandbox.faults.list(sandbox.merchantId)
        if (!own.some((each) => each.id === id) || !(await sandbox.faults.remove(id)))
          throw notThere('No pending fault has this id.')
        return list(sandbox)
      },
    }),
  ],
}

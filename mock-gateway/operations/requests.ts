import { z } from 'zod'
import { GatewayError } from '../domain/errors/errors.ts'
import { readId } from '../domain/identifiers.ts'
import type { StoryEntry } from '../serializers/story/entries.ts'
import { readStory } from '../serializers/story/read-story.ts'
import { formatWireTime } from '../serializers/time.ts'
import { presentAmount } from '../serializers/transaction.ts'
import {
  findRequests,
  KEPT_REQUESTS,
  listRequests,
  NOBODY,
  type RequestHead,
} from '../storage/requests.ts'
import { findOne } from '../storage/rows.ts'
import { type RequestRow, readContents } from '../storage/tables/requests.ts'
import type { TransactionRow } from '../storage/tables/transactions.ts'
import { findSentRequest } from './find-request.ts'
import { FileAnswer, findNewest, notThere, operation, type Subject } from './operation.ts'
import { anyObject, formatMoment, moment, page, pickFields, time, wholeNumber } from './shapes.ts'

const head = z
  .object({
    at: moment,
    request_id: z.string().describe('The X-Request-Id of its answer.'),
    method: z.string(),
    route: z.string().nullable().describe('For example /v1/transactions/:id.'),
    status: z.int().nullable().describe('null if the client had disconnected.'),
    merchant_id: z.int().nullable(),
    error: z.string().nullable().describe('Error name of the rejection.'),
    explain: z.string().nullable().describe('The mistake, and how to fix it.'),
    duration_ms: z.number(),
  })
  .meta({ id: 'Request' })

const texts = z.record(z.string(), z.string())
const full = z
  .object({
    ...head.shape,
    path: z.string().describe('The address without the query.'),
    sent: anyObject.nullable().describe('Parameters of the request; null if they are not stored.'),
    encrypted: z.array(z.string()).describe('Names of encrypted parameters.'),
    headers: texts,
    answer_headers: texts,
    answer: z.unknown().describe('Body of the answer; null if it is not stored.'),
    fault: z.string().nullable().describe('The injected fault that affected the request.'),
  })
  .meta({ id: 'RequestWithContents' })

const presentRequest = (row: RequestHead) =>
  pickFields(head, {
    ...row,
    at: formatMoment(row.created_at),
    merchant_id: row.merchant_id === NOBODY ? null : row.merchant_id,
    duration_ms: row.duration,
  })

/** Passwords, secrets and card numbers were masked before they were stored. */
function presentWithContents(row: RequestRow) {
  const { path, sent, encrypted, headers, answered, struck } = readContents(row)
  return {
    ...presentRequest(row),
    ...{ path, sent: sent as Record<string, unknown> | null, encrypted: [...encrypted], headers },
    answer_headers: answered,
    answer: row.answer === null ? null : JSON.parse(row.answer),
    fault: struck,
  }
}

const ROUTE = /^(?:([A-Z]+) )?(\/\S*)$/

const story = z
  .object({
    id: z.int(),
    payment_ref: z.string(),
    amount: z.string(),
    currency: z.string(),
    status: z.string(),
    next: z.array(z.string()).describe('Sentences about the next steps for this payment.'),
    findings: z
      .array(z.string())
      .describe('Warnings about accepted requests that will cause problems later.'),
    entries: z.array(
      z
        .object({
          at: moment,
          kind: z.enum(['clock', 'request', '3-D Secure', 'bank', 'payment', 'webhook', 'mail']),
          title: z.string(),
          tone: z.enum(['good', 'waiting', 'bad', 'off']),
          says: z.string().nullable().describe('The event in one sentence.'),
          details: z.array(z.object({ name: z.string(), text: z.string() })),
          of: z
            .object({ what: z.enum(['requests', 'webhooks']), id: z.string() })
            .optional()
            .describe('Address with all details.'),
        })
        .meta({ id: 'StoryEntry' }),
    ),
  })
  .meta({ id: 'Story' })

const presentEntry = ({
  at,
  arrow: _arrow,
  phase: _phase,
  isPlumbing: _isPlumbing,
  ...entry
}: StoryEntry) => ({ at: formatMoment(at), ...entry })

const payment = z
  .object({
    id: z.int(),
    merchant_id: z.int(),
    created_at: time,
    payment_ref: z.string(),
    amount: z.string(),
    currency: z.string(),
    status: z.string(),
    error: z.string().nullable().describe('Error name of the last payment attempt.'),
    test: z.boolean(),
  })
  .meta({ id: 'Payment' })

const presentPayment = (row: TransactionRow) =>
  pickFields(payment, {
    ...row,
    created_at: formatWireTime(row.created_at),
    amount: presentAmount(row),
    error: row.error_name,
  })

export const REQUESTS: Subject = {
  title: 'Requests',
  about: 'The last requests of clients, why some were rejected, and what happened to payments.',
  operations: [
    operation({
      name: 'requests.list',
      route: 'GET /requests',
      does: 'Lists the last requests of clients, the newest first',
      input: z.object({ limit: wholeNumber(1, KEPT_REQUESTS.most).default(100) }),
      output: z.object({ requests: z.array(head) }),
      async run({ database, keptRequests, merchantId }, { limit }) {
        await keptRequests.settle()
        const requests = await listRequests(database.db, { merchantId }, { limit })
        return { requests: requests.map(presentRequest) }
      },
    }),
    operation({
      name: 'requests.find',
      route: 'POST /requests/find',
      does: 'Finds the newest request to a route with given values',
      input: z.object({
        route: z
          .string('route must be a route such as POST /v1/transactions.')
          .regex(ROUTE)
          .meta({
            description: 'A route, with or without its method.',
            says: 'a route such as POST /v1/transactions',
            examples: ['POST /v1/transactions'],
          }),
        where: anyObject.default({}).meta({
          description: 'Values that parameters of the request must have.',
          examples: [{ amount: '12.50' }],
        }),
      }),
      output: z.object({
        request: full.nullable(),
        message: z
          .string()
          .nullable()
          .describe('If no request matches: how the most similar one differs.'),
      }),
      async run({ database, keptRequests, merchantId }, { route: written, where }) {
        const [, method, route = ''] = ROUTE.exec(written) ?? []
        await keptRequests.settle()
        const rows = await findRequests(database.db, { merchantId })
        const { row, message } = findSentRequest(rows, { method, route, where })
        return { request: row && presentWithContents(row), message }
      },
    }),
    operation({
      name: 'requests.show',
      route: 'GET /requests/:id',
      does: 'Shows a request with its parameters and answer; secrets and card numbers are masked',
      input: z.object({ id: z.string().describe('The X-Request-Id of its answer.') }),
      output: full,
      async run({ database, keptRequests, merchantId }, { id }) {
        await keptRequests.settle()
        const row = await findOne(database.db, 'requests', { request_id: id })
        if (!row || (merchantId ?? row.merchant_id) !== row.merchant_id)
          throw notThere('There is no request with this id.')
        return presentWithContents(row)
      },
    }),
    operation({
      name: 'payments.list',
      route: 'GET /payments',
      does: 'Lists the payments, the newest first',
      input: z.object(page),
      output: z.object({ payments: z.array(payment) }),
      run: async (sandbox, part) => ({
        payments: (await findNewest(sandbox, 'transactions', part)).map(presentPayment),
      }),
    }),
    operation({
      name: 'stories.show',
      route: 'GET /stories/:id',
      does: 'Shows the timeline of a payment, with all its events in order, as one HTML file',
      details:
        'The timeline contains requests, page views, bank answers, 3-D Secure, captures, refunds, webhooks with each attempt, mails and clock changes. It does not contain secrets or card numbers.',
      input: z.object({
        id: z.string().describe('Id of a transaction; add .json to get the timeline as data.'),
      }),
      output: story,
      file: 'text/html',
      async run(sandbox, { id: written }) {
        const [, digits = '', isData] = /^(.*?)(\.json)?$/s.exec(written) ?? []
        const { database, authenticator, keptRequests } = sandbox
        const id = readId(digits)
        await keptRequests.settle()
        const payment =
          id === undefined ? undefined : await findOne(database.db, 'transactions', { id })
        const owner = payment?.merchant_id
        const merchant = owner === undefined ? undefined : await authenticator.find(owner)
        const found = merchant && (await readStory(database.db, merchant, id))
        if (!found || !merchant || (sandbox.merchantId ?? owner) !== owner)
          throw new GatewayError('errors.transaction.not_found', {
            explain: 'There is no transaction with this id.',
          })
        const { names: _names, entries, ...rest } = found
        if (isData) return { ...rest, entries: entries.map(presentEntry) }
        const html = await sandbox.renderStory(found, sandbox.getNow(merchant.id))
        return new FileAnswer('text/html', html)
      },
    }),
    operation({
      name: 'console.open',
      route: 'POST /console',
      does: 'Creates an address that opens the console without a password',
      details:
        'The address works once, within a minute. Without merchant_id it logs in as administrator.',
      output: z.object({ url: z.url() }),
      async run({ addresses, sessions, merchantId }) {
        const ticket = await sessions.beginTicket({ merchantId })
        return { url: `${addresses.base}/console/enter?ticket=${ticket}` }
      },
    }),
  ],
}

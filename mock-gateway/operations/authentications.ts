import { z } from 'zod'
import { LONGEST_DELAY } from '../acquirer/three-d-secure/plan.ts'
import { ENDING_ANSWERS, listAnswersAt, QUESTION_KINDS } from '../domain/card/bank-questions.ts'
import { FLOWS, RESULTS, VERSIONS } from '../domain/card/three-d-secure.ts'
import { badFormat } from '../domain/errors/errors.ts'
import { answerAtBank, createBankAction, findBankStep } from '../payments/authentication/bank.ts'
import { findCurrentAuthentication } from '../payments/authentication/end.ts'
import type { Database } from '../storage/database.ts'
import { deleteRows, findAll, findOne, insertRow } from '../storage/rows.ts'
import type { AuthenticationRow } from '../storage/tables/authentications.ts'
import { notThere, type Operation, operation } from './operation.ts'
import { defineId, wholeNumber } from './shapes.ts'

const question = z
  .enum(QUESTION_KINDS)
  .meta({ id: 'BankQuestion', description: 'Kind of challenge.' })

const authentication = z
  .object({
    flow: z.enum(FLOWS).optional(),
    result: z.enum(RESULTS).optional(),
    delay_seconds: wholeNumber(0, LONGEST_DELAY).optional(),
    version: z.enum(VERSIONS).optional(),
    question: question.optional(),
  })
  .meta({ id: 'Authentication' })

const forcedAuthentications = z.object({
  merchant_id: z.int(),
  next: z.array(authentication),
})

const listAuthentications = async (database: Database, merchantId: number) => ({
  merchant_id: merchantId,
  next: (await findAll(database.db, 'next_authentications', { merchant_id: merchantId })).map(
    ({ plan: { delaySeconds, ...rest } }) => ({
      ...rest,
      ...(delaySeconds !== undefined && { delay_seconds: delaySeconds }),
    }),
  ),
})

const asks = ({ plan }: AuthenticationRow) => plan.question ?? 'code'

/** Operations that force a result of 3-D Secure, or answer for a payer at the bank. */
export const AUTHENTICATIONS: readonly Operation[] = [
  operation({
    name: 'authentications.force',
    route: 'POST /3ds/next',
    does: 'Forces the result of 3-D Secure for the next payment on a page; omitted fields follow the card',
    whose: 'one',
    input: authentication,
    output: z.object({ merchant_id: z.int(), next: authentication }),
    async run({ database, merchantId }, { delay_seconds, ...rest }) {
      const sent = {
        ...rest,
        ...(delay_seconds !== undefined && { delaySeconds: delay_seconds }),
      }
      const asked = Object.fromEntries(
        Object.entries(sent).filter(([, value]) => value !== undefined),
      )
      if (Object.keys(asked).length === 0)
        throw badFormat(`Send at least one of ${Object.keys(authentication.shape).join(', ')}.`)
      await database.write((queries) =>
        insertRow(queries, 'next_authentications', { merchant_id: merchantId, plan: asked }),
      )
      return { merchant_id: merchantId, next: { ...rest, delay_seconds } }
    },
  }),
  operation({
    name: 'authentications.forced',
    route: 'GET /3ds/next',
    does: 'Lists the forced results of 3-D Secure for the next payments on a page',
    whose: 'one',
    output: forcedAuthentications,
    run: ({ database, merchantId }) => listAuthentications(database, merchantId),
  }),
  operation({
    name: 'authentications.unforce',
    route: 'DELETE /3ds/next',
    does: 'Deletes the forced results of 3-D Secure for the next payments on a page',
    whose: 'one',
    output: forcedAuthentications,
    async run({ database, merchantId }) {
      await database.write((queries) =>
        deleteRows(queries, 'next_authentications', { merchant_id: merchantId }),
      )
      return listAuthentications(database, merchantId)
    },
  }),
  operation({
    name: 'authentications.answer',
    route: 'POST /3ds/answer',
    does: "Answers a challenge for a payer who is at the bank or in its app; the payer's page continues automatically",
    whose: 'one',
    input: z.object({
      answer: z.string().meta({
        description:
          'An answer to the current step: approve or deny; scan, then sign; several choices as cafe,train. Every challenge accepts cancel and timeout.',
        examples: ['approve'],
      }),
      transaction_id: defineId(
        "The payer's transaction. If this and payment_ref are missing, the newest payer at the bank answers.",
      ),
      payment_ref: z.string().optional(),
    }),
    output: z.object({
      merchant_id: z.int(),
      transaction_id: z.int().nullable().describe('null if the library pays the order.'),
      payment_ref: z.string(),
      question,
      step: z.string(),
      answered: z
        .boolean()
        .describe('If false, the challenge continues, or the payer can answer again.'),
    }),
    async run(sandbox, { answer, ...which }) {
      const work = sandbox.work()
      const given = answer.split(',').map((one) => one.trim())
      const found = await findOne(
        work.queries,
        'authentications',
        {
          merchant_id: sandbox.merchantId,
          status: 'open',
          ...(which.transaction_id !== undefined && { transaction_id: which.transaction_id }),
          ...(which.payment_ref !== undefined && { payment_ref: which.payment_ref }),
        },
        { newestFirst: true },
      )
      const row = found && (await findCurrentAuthentication(work, found))
      if (row?.status !== 'open') throw notThere('No payer of this merchant is at the bank.')
      const step = findBankStep(row)
      const answered = await answerAtBank(work, row, createBankAction(given))
      if (answered && answered.steps.length === row.steps.length) {
        const possible = [...Object.keys(listAnswersAt(row.plan.question, step)), ...ENDING_ANSWERS]
        throw badFormat(
          `answer must be one of ${possible.join(', ')}. The challenge is ${asks(row)}, at step ${step}.`,
        )
      }
      const shown = answered ?? row
      return {
        merchant_id: shown.merchant_id,
        transaction_id: shown.transaction_id,
        payment_ref: shown.payment_ref,
        question: asks(shown),
        step: findBankStep(shown),
        answered: shown.answer !== null,
      }
    },
  }),
]

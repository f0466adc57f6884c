import { z } from 'zod'
import { LONGEST_DELAY } from '../acquirer/three-d-secure/plan.ts'
import { answersAt, ENDING_ANSWERS, QUESTION_KINDS } from '../domain/card/bank-questions.ts'
import { FLOWS, RESULTS, VERSIONS } from '../domain/card/three-d-secure.ts'
import { badFormat, entryByCode, entryByName, keyOf } from '../domain/errors/errors.ts'
import type { JsonObject } from '../domain/json.ts'
import { readConversion } from '../domain/money/currency-conversion.ts'
import { LONGEST_CAPTURE, USUAL_CAPTURE } from '../domain/order/capture-instruction.ts'
import { WALLET_TYPES } from '../domain/order/wallets.ts'
import type { Parameters } from '../parsing/parameters/parameters.ts'
import { atBank, createBankAction, stepOf } from '../payments/authentication/bank.ts'
import { currentAuthentication } from '../payments/authentication/end.ts'
import {
  addNextAuthentication,
  deleteNextAuthentications,
  findAuthentication,
  findNextAuthentications,
} from '../storage/authentications.ts'
import type { Database } from '../storage/database.ts'
import type { Operation as Asked, NextOutcome } from '../storage/next-outcomes.ts'
import type { AuthenticationRow } from '../storage/tables/authentications.ts'
import type { NextOutcomeRow } from '../storage/tables/next-outcomes.ts'
import type { ChargeNow } from '../subscriptions/charge-now.ts'
import {
  BAD_FORMAT,
  notThere,
  type OperationContext,
  operation,
  type Subject,
} from './operation.ts'
import { readInput } from './read-input.ts'
import { at, idOf, whose } from './shapes.ts'

const currencyConversion = z
  .object({
    currency: z.string().meta({ description: 'The currency of the card.', examples: ['eur'] }),
    rate: z.string().meta({
      description: "Value of one unit of the order's currency in this currency.",
      examples: ['0.0880'],
    }),
    chosen_currency: z
      .string()
      .optional()
      .describe(
        "The currency that the payer chose: the card's currency (default) or the order's currency.",
      ),
  })
  .meta({
    id: 'CurrencyConversion',
    description:
      'The payer was offered to pay in the currency of the card. The order keeps its amount and currency.',
  })

const CONVERSION =
  'currency_converter must be an object such as {"currency": "eur", "rate": "0.0880"}.'

const NO_OUTCOME =
  'outcome must be approved, or the name or code of an error, such as errors.payment.declined.'

const outcome = z
  .string(NO_OUTCOME)
  .transform((written, { issues }) => {
    const entry = entryByName(written) ?? entryByCode(Number(written))
    if (entry) return keyOf(entry)
    if (written === 'approved') return written
    issues.push({ code: 'custom', input: written, message: NO_OUTCOME })
    return z.NEVER
  })
  .meta({
    description: 'approved, or the name or code of an error.',
    examples: ['errors.payment.declined'],
  })

const chargeNow = {
  errors: BAD_FORMAT,
  input: z.object({
    at,
    outcome: outcome.optional(),
  }),
}

/** Reads the form that charges a subscription now. @throws errors.request.bad_format */
export function readChargeNow(sent: Parameters): ChargeNow {
  return readInput(chargeNow, sent)
}

const times = z.int().min(1).max(1_000_000).default(1).describe('Number of payments or captures.')

const next = z.object({
  next: z.array(
    z.object({
      id: z.int(),
      merchant_id: whose,
      outcome: z.string(),
      seconds: z
        .int()
        .optional()
        .describe('For captures only: time until the bank answers, in seconds.'),
      times: z.int(),
      wallet_type: z.enum(WALLET_TYPES).optional(),
      currency_converter: currencyConversion.optional(),
    }),
  ),
})

const presentNext = ({ operation: asked, outcome: result, ...row }: NextOutcomeRow) => ({
  id: row.id,
  merchant_id: row.merchant_id,
  outcome: result,
  ...(asked === 'capture' && { seconds: row.seconds }),
  times: row.times,
  // Only if a test has set it.
  ...(row.wallet_type && { wallet_type: row.wallet_type }),
  ...(row.currency_converter && { currency_converter: row.currency_converter }),
})

const list = async ({ nextOutcomes, merchantId }: OperationContext, asked: Asked) => ({
  next: (await nextOutcomes.waiting(asked, merchantId)).map(presentNext),
})

/** Input that only one of the two has. */
const INPUTS = {
  payment: {
    wallet_type: z
      .enum(WALLET_TYPES)
      .optional()
      .describe('A wallet; a payment by card then counts as a payment by this wallet.'),
    currency_converter: currencyConversion.optional(),
  },
  capture: {
    seconds: z
      .int()
      .min(1)
      .max(LONGEST_CAPTURE)
      .default(USUAL_CAPTURE)
      .describe('Seconds until the bank answers.'),
  },
}

type Sent = Pick<NextOutcome, 'outcome' | 'times'> &
  Partial<Pick<NextOutcome, 'seconds'>> & {
    readonly wallet_type?: NextOutcome['wallet_type'] | undefined
    readonly currency_converter?: z.output<typeof currencyConversion> | undefined
  }

/** Forces the bank's answers to the next payments or captures. */
const force = (asked: Asked, does: string) =>
  operation({
    name: `${asked}s.force`,
    route: `POST /${asked}s/next`,
    does,
    input: z.object({ outcome, times, ...INPUTS[asked] }),
    output: next,
    async run(sandbox, sent) {
      const { currency_converter, ...rest } = sent as Sent
      const conversion = currency_converter && readConversion(currency_converter as JsonObject)
      if (currency_converter && !conversion) throw badFormat(CONVERSION)
      await sandbox.nextOutcomes.add({
        seconds: 0,
        ...rest,
        wallet_type: rest.wallet_type ?? null,
        currency_converter: conversion ?? null,
        merchant_id: sandbox.merchantId ?? null,
        operation: asked,
      })
      return list(sandbox, asked)
    },
  })

const others = (asked: Asked) => [
  operation({
    name: `${asked}s.forced`,
    route: `GET /${asked}s/next`,
    does: `Lists the forced outcomes of the next ${asked}s`,
    output: next,
    run: (sandbox) => list(sandbox, asked),
  }),
  operation({
    name: `${asked}s.unforce`,
    route: `DELETE /${asked}s/next`,
    does: `Deletes the forced outcomes of the next ${asked}s, or one of them`,
    input: z.object({ id: idOf('Id of the outcome; omitted: all.') }),
    output: next,
    async run(sandbox, { id }) {
      const isDeleted = await sandbox.nextOutcomes.clear(asked, sandbox.merchantId, id)
      if (id !== undefined && !isDeleted) throw notThere(`There is no forced outcome ${id}.`)
      return list(sandbox, asked)
    },
  }),
]

/** The operations that force an outcome. */
const FORCE = {
  payment: force('payment', "Forces the bank's answer to the next payments"),
  capture: force(
    'capture',
    "Forces the bank's answer to the next captures, with a delay; until then they are capture pending",
  ),
}

const question = z
  .enum(QUESTION_KINDS)
  .meta({ id: 'BankQuestion', description: 'Kind of challenge.' })

const authentication = z
  .object({
    flow: z.enum(FLOWS).optional(),
    result: z.enum(RESULTS).optional(),
    delay_seconds: z.int().min(0).max(LONGEST_DELAY).optional(),
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
  next: (await findNextAuthentications(database.db, merchantId)).map(
    ({ delaySeconds, ...rest }) => ({
      ...rest,
      ...(delaySeconds !== undefined && { delay_seconds: delaySeconds }),
    }),
  ),
})

const asks = ({ plan }: AuthenticationRow) => plan.question ?? 'code'

export const OUTCOMES: Subject = {
  title: 'Next payments',
  about: 'Results of the bank and of 3-D Secure for the next payments.',
  operations: [
    FORCE.payment,
    ...others('payment'),
    FORCE.capture,
    ...others('capture'),
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
        await database.write((queries) => addNextAuthentication(queries, merchantId, asked))
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
        await database.write((queries) => deleteNextAuthentications(queries, merchantId))
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
        transaction_id: idOf(
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
        const found = await findAuthentication(work.queries, {
          merchant_id: sandbox.merchantId,
          status: 'open',
          ...(which.transaction_id !== undefined && { transaction_id: which.transaction_id }),
          ...(which.payment_ref !== undefined && { payment_ref: which.payment_ref }),
        })
        const row = found && (await currentAuthentication(work, found))
        if (row?.status !== 'open') throw notThere('No payer of this merchant is at the bank.')
        const step = stepOf(row)
        const answered = await atBank(work, row, createBankAction(given))
        if (answered && answered.steps.length === row.steps.length) {
          const possible = [...Object.keys(answersAt(row.plan.question, step)), ...ENDING_ANSWERS]
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
          step: stepOf(shown),
          answered: shown.answer !== null,
        }
      },
    }),
  ],
}

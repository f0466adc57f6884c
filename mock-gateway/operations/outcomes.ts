import { z } from 'zod'
import { badFormat, findEntry, getKey } from '../domain/errors/errors.ts'
import type { JsonObject } from '../domain/json.ts'
import { readConversion } from '../domain/money/currency-conversion.ts'
import { LONGEST_CAPTURE, USUAL_CAPTURE } from '../domain/order/metadata.ts'
import { WALLET_TYPES } from '../domain/order/wallets.ts'
import type { Parameters } from '../parsing/parameters/parameters.ts'
import type { Operation as Asked, NextOutcome } from '../storage/next-outcomes.ts'
import type { NextOutcomeRow } from '../storage/tables/sandbox.ts'
import type { ChargeNow } from '../subscriptions/charge-now.ts'
import { AUTHENTICATIONS } from './authentications.ts'
import {
  BAD_FORMAT,
  notThere,
  type OperationContext,
  operation,
  type Subject,
} from './operation.ts'
import { readInput } from './read-input.ts'
import { at, defineId, wholeNumber, whose } from './shapes.ts'

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
    const entry = findEntry(written)
    if (entry) return getKey(entry)
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

const times = wholeNumber(1, 1_000_000).default(1).describe('Number of payments or captures.')

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

const presentNext = ({ operation: kind, outcome: result, ...row }: NextOutcomeRow) => ({
  id: row.id,
  merchant_id: row.merchant_id,
  outcome: result,
  ...(kind === 'capture' && { seconds: row.seconds }),
  times: row.times,
  // Only if a test has set it.
  ...(row.wallet_type && { wallet_type: row.wallet_type }),
  ...(row.currency_converter && { currency_converter: row.currency_converter }),
})

const list = async ({ nextOutcomes, merchantId }: OperationContext, kind: Asked) => ({
  next: (await nextOutcomes.waiting(kind, merchantId)).map(presentNext),
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
    seconds: wholeNumber(1, LONGEST_CAPTURE)
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
const force = (kind: Asked, does: string) =>
  operation({
    name: `${kind}s.force`,
    route: `POST /${kind}s/next`,
    does,
    input: z.object({ outcome, times, ...INPUTS[kind] }),
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
        operation: kind,
      })
      return list(sandbox, kind)
    },
  })

const others = (kind: Asked) => [
  operation({
    name: `${kind}s.forced`,
    route: `GET /${kind}s/next`,
    does: `Lists the forced outcomes of the next ${kind}s`,
    output: next,
    run: (sandbox) => list(sandbox, kind),
  }),
  operation({
    name: `${kind}s.unforce`,
    route: `DELETE /${kind}s/next`,
    does: `Deletes the forced outcomes of the next ${kind}s, or one of them`,
    input: z.object({ id: defineId('Id of the outcome; omitted: all.') }),
    output: next,
    async run(sandbox, { id }) {
      const isDeleted = await sandbox.nextOutcomes.clear(kind, sandbox.merchantId, id)
      if (id !== undefined && !isDeleted) throw notThere(`There is no forced outcome ${id}.`)
      return list(sandbox, kind)
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

export const OUTCOMES: Subject = {
  title: 'Next payments',
  about: 'Results of the bank and of 3-D Secure for the next payments.',
  operations: [
    FORCE.payment,
    ...others('payment'),
    FORCE.capture,
    ...others('capture'),
    ...AUTHENTICATIONS,
  ],
}

import type { Response } from 'express'
import { badFormat, GatewayError } from '../../domain/errors/errors.ts'
import { readId } from '../../domain/identifiers.ts'
import type {
  MerchantContext,
  Operation,
  OperationContext,
  Sandbox,
} from '../../operations/operation.ts'
import { readInput } from '../../operations/read-input.ts'
import { type Parameters, text } from '../../parsing/parameters/parameters.ts'
import { findAllMerchants } from '../../storage/merchants.ts'
import { createWork, getExchange } from './exchange.ts'
import { maskCardNumbers } from './mask-card-numbers.ts'

/**
 * Runs an operation for a request.
 * @param sent parameters with `merchant_id`
 * @param inPath values from the address
 * @throws GatewayError of the operation, or of invalid input
 */
export async function runOperation(
  response: Response,
  sandbox: Sandbox,
  operation: Operation,
  sent: Parameters,
  inPath: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const context = await createContext(response, sandbox, operation, sent)
  return operation.run(context, readInput(operation, sent, inPath))
}

async function createContext(
  response: Response,
  sandbox: Sandbox,
  { whose }: Operation,
  sent: Parameters,
): Promise<OperationContext | MerchantContext> {
  const exchange = getExchange(response)
  const { now, getNow, service } = exchange
  const merchantId =
    readMerchantId(sent) ?? (whose === 'first' ? await findFirstId(sandbox) : undefined)
  const merchant =
    merchantId === undefined ? undefined : await sandbox.authenticator.find(merchantId)
  if (merchantId !== undefined && !merchant)
    throw new GatewayError('errors.merchant.not_found', {
      explain: `There is no merchant ${merchantId}.`,
    })
  if (whose === 'one' && !merchant)
    throw badFormat('merchant_id is missing. Send the merchant that the call applies to.')
  // A merchant or administrator who is logged in to the console is the actor.
  const ofPage = exchange.merchant?.id === merchant?.id ? undefined : merchant
  // The log lists a request under its merchant even if its input is rejected.
  if (whose === 'first' || whose === 'one') exchange.pageOf = ofPage
  return {
    ...sandbox,
    ...{ now, getNow, merchantId },
    changes: service.changes,
    machineNow: service.clocks.machine,
    openWork: (owner) => createWork(response, owner),
    work: () => createWork(response, ofPage),
    mask: (value) => maskCardNumbers(response, value),
  }
}

/** @throws errors.merchant.not_found (104) if it is not an id */
function readMerchantId(sent: Parameters): number | undefined {
  const written = text(sent, 'merchant_id')
  const id = written === undefined ? undefined : readId(written)
  if (written === undefined || id !== undefined) return id
  throw new GatewayError('errors.merchant.not_found', {
    explain: 'merchant_id must be the id of a merchant.',
  })
}

async function findFirstId({ database }: Sandbox): Promise<number> {
  const [first] = await findAllMerchants(database.db)
  if (first) return first.id
  throw new GatewayError('errors.merchant.not_found', {
    explain: 'There is no merchant yet. Create one with POST /_control/merchants.',
  })
}

/**
 * Writes the generated types of the contract: what the API answers, and the calls of the typed
 * client. Run it after a change of openapi.yaml: `node build/contract-types.ts`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { parseContract } from '../mock-gateway/web/docs/parse.ts'
import { generateCalls } from './contract-types/calls.ts'
import { generatePaymentParameters } from './contract-types/names.ts'
import { generateWire } from './contract-types/wire.ts'

const PROJECT = new URL('../', import.meta.url)

/** The source of each generated file, by its path from the project's root. */
export function generateContractTypes(): Readonly<Record<string, string>> {
  const contract = parseContract(
    readFileSync(new URL('mock-gateway/contract/openapi.yaml', PROJECT), 'utf8'),
  )
  return {
    'mock-gateway/contract/wire.ts': generateWire(contract),
    'mock-gateway/client/calls.ts': generateCalls(contract),
    'sdk/shared/payment-parameters.ts': generatePaymentParameters(contract),
  }
}

if (import.meta.main)
  for (const [path, source] of Object.entries(generateContractTypes()))
    writeFileSync(new URL(path, PROJECT), source)

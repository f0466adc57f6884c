/**
 * Writes the generated types of the contract and of the operations: what the API answers, the calls
 * of the typed clients, and the table of operations in the documents. Run it after a change of
 * openapi.yaml or of mock-gateway/operations: `node build/contract-types.ts`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { parseContract } from '../mock-gateway/web/docs/parse.ts'
import { generateCalls } from './contract-types/calls.ts'
import { generatePaymentParameters } from './contract-types/names.ts'
import { generateOperations, withOperationRows } from './contract-types/operations.ts'
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
    'mock-gateway/client/operations.ts': generateOperations(),
    'docs/reference/control.md': withOperationRows(
      readFileSync(new URL('docs/reference/control.md', PROJECT), 'utf8'),
    ),
  }
}

if (import.meta.main)
  for (const [path, source] of Object.entries(generateContractTypes()))
    writeFileSync(new URL(path, PROJECT), source)

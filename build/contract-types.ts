/**
 * `npm run generate`, also after `npm ci` and before each build: writes what follows from
 * openapi.yaml and mock-gateway/operations: the contract as JSON, the types of answers, the typed
 * client, and the table of operations in the documents. All but that table are outside of git.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { generateCalls } from './contract-types/calls.ts'
import { generatePaymentParameters } from './contract-types/names.ts'
import { generateOperations, withOperationRows } from './contract-types/operations.ts'
import { parseContract } from './contract-types/parse.ts'
import { generateWire } from './contract-types/wire.ts'

const PROJECT = new URL('../', import.meta.url)

/** The source of each generated file, by its path from the project's root. */
export function generateContractTypes(): Readonly<Record<string, string>> {
  const contract = parseContract(
    readFileSync(new URL('mock-gateway/contract/openapi.yaml', PROJECT), 'utf8'),
  )
  return {
    'mock-gateway/contract/openapi.json': JSON.stringify(contract),
    'mock-gateway/contract/wire.ts': generateWire(contract),
    'mock-gateway/client/calls.ts': generateCalls(contract),
    'sdk/shared/payment-parameters.ts': generatePaymentParameters(contract),
    'mock-gateway/client/operations.ts': generateOperations(),
    'docs/reference/control.md': withOperationRows(
      readFileSync(new URL('docs/reference/control.md', PROJECT), 'utf8'),
    ),
  }
}

/** Replaces a file as a whole, because builds that run at the same time read and write it. */
function replace(file: URL, source: string): void {
  const written = new URL(`${file}.${process.pid}`)
  writeFileSync(written, source)
  renameSync(written, file)
}

if (import.meta.main)
  for (const [path, source] of Object.entries(generateContractTypes()))
    replace(new URL(path, PROJECT), source)

/**
 * `npm run generate`, also after `npm ci` and before each build: writes what follows from
 * openapi.yaml and mock-gateway/operations: the contract as JSON, the types of answers, the typed
 * client, and the table of operations in the documents. All but that table are outside of git.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { generateCalls } from './contract-types/calls.ts'
import { generatePaymentParameters } from './contract-types/names.ts'
import { parseContract } from './contract-types/parse.ts'
import { generateWire } from './contract-types/wire.ts'

const PROJECT = new URL('../', import.meta.url)

const read = (path: string) => readFileSync(new URL(path, PROJECT), 'utf8')

/**
 * Replaces a file as a whole, because builds that run at the same time read and write it. An equal
 * file stays untouched, so that its time does not make a build look old.
 */
function replace(path: string, source: string): void {
  const file = new URL(path, PROJECT)
  if (existsSync(file) && read(path) === source) return
  const written = new URL(`${file}.${process.pid}`)
  writeFileSync(written, source)
  renameSync(written, file)
}

const contract = parseContract(read('mock-gateway/contract/openapi.yaml'))
replace('mock-gateway/contract/openapi.json', JSON.stringify(contract))
replace('mock-gateway/contract/wire.ts', generateWire(contract))
replace('mock-gateway/client/calls.ts', generateCalls(contract))
replace('sdk/shared/payment-parameters.ts', generatePaymentParameters(contract))

// The operations serialize objects by the names that were just written.
const { generateOperations, withOperationRows } = await import('./contract-types/operations.ts')
replace('mock-gateway/client/operations.ts', generateOperations())
const control = 'docs/reference/control.md'
replace(control, withOperationRows(read(control)))

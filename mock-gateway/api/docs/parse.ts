import { parse } from 'yaml'
import { type Contract, METHODS } from './contract.ts'

/** Reads the document from its YAML: merge keys are merged, groups of errors become their numbers. */
export function parseContract(yaml: string): Contract {
  const document = parse(yaml, { merge: true, maxAliasCount: -1 })
  const groups: Readonly<Record<string, readonly (string | number)[]>> = document['x-error-groups']
  const numbers = (listed: readonly (string | number)[]): number[] =>
    listed.flatMap((each) => (typeof each === 'number' ? [each] : numbers(groups[each] ?? [])))
  const inOrder = (listed: readonly (string | number)[]) => [...new Set(numbers(listed))].sort((a, b) => a - b)
  const { 'x-error-groups': _groups, 'x-headers': _headers, ...contract } = document
  for (const { operation } of writtenOperations(contract))
    Object.assign(operation, { 'x-errors': inOrder(operation['x-errors'] as readonly (string | number)[]) })
  return { ...contract, 'x-errors-elsewhere': inOrder(contract['x-errors-elsewhere']) }
}

function* writtenOperations(contract: Contract) {
  for (const item of Object.values(contract.paths))
    for (const method of METHODS) if (item[method]) yield { method, operation: item[method] }
}

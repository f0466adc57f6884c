import { parse } from 'yaml'
import { type Contract, listCalls } from '../../mock-gateway/web/docs/contract.ts'

/**
 * Reads the document from its YAML: merge keys are merged, groups of errors become their numbers.
 */
export function parseContract(yaml: string): Contract {
  const document = parse(yaml, { merge: true, maxAliasCount: -1 })
  const groups: Readonly<Record<string, readonly (string | number)[]>> = document['x-error-groups']
  const numbers = (listed: readonly (string | number)[]): number[] =>
    listed.flatMap((each) => (typeof each === 'number' ? [each] : numbers(groups[each] ?? [])))
  const inOrder = (listed: readonly (string | number)[]) =>
    [...new Set(numbers(listed))].sort((a, b) => a - b)
  const { 'x-error-groups': _groups, 'x-headers': _headers, ...contract } = document
  const operations = new Set(listCalls(contract).map(({ operation }) => operation))
  for (const rejecting of [...operations, ...contract['x-elsewhere']])
    rejecting['x-errors'] = inOrder(rejecting['x-errors'])
  return contract
}

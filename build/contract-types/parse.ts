import { parse } from 'yaml'
import { type Contract, METHODS, type Operation } from '../../mock-gateway/web/docs/contract.ts'

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
  for (const refusing of [...writtenOperations(contract), ...contract['x-elsewhere']])
    refusing['x-errors'] = inOrder(refusing['x-errors'])
  return contract
}

function* writtenOperations(contract: Contract) {
  for (const item of Object.values(contract.paths))
    for (const method of METHODS) if (item[method]) yield item[method] as Operation
}

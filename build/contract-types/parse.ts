import { parse } from 'yaml'
import type { FieldType, ResourceFields } from '../../mock-gateway/domain/listing.ts'
import { LISTED_FIELDS } from '../../mock-gateway/storage/tables/schema.ts'
import { type Contract, listCalls } from '../../mock-gateway/web/docs/contract.ts'

/**
 * Reads the document from its YAML: merge keys are merged, groups of errors become their numbers,
 * and `required: all` the names of all properties. The filters of lists follow from the tables.
 */
export function parseContract(yaml: string): Contract {
  const document = parse(yaml, requireAll, { merge: true, maxAliasCount: -1 })
  const groups: Readonly<Record<string, readonly (string | number)[]>> = document['x-error-groups']
  const numbers = (listed: readonly (string | number)[]): number[] =>
    listed.flatMap((each) => (typeof each === 'number' ? [each] : numbers(groups[each] ?? [])))
  const inOrder = (listed: readonly (string | number)[]) =>
    [...new Set(numbers(listed))].sort((a, b) => a - b)
  const { 'x-error-groups': _groups, 'x-headers': _headers, ...contract } = document
  Object.assign(contract.components.parameters, createListFilters())
  const operations = new Set(listCalls(contract).map(({ operation }) => operation))
  for (const rejecting of [...operations, ...contract['x-elsewhere']])
    rejecting['x-errors'] = inOrder(rejecting['x-errors'])
  return contract
}

const requireAll = (_key: unknown, value: unknown) => {
  const { required, properties } = (value ?? {}) as { required?: unknown; properties?: object }
  return required === 'all' && properties
    ? { ...(value as object), required: Object.keys(properties) }
    : value
}

/** Schemas of the filters of each type. */
const FILTERS: Readonly<Record<FieldType, string>> = {
  string: 'TextFilter',
  word: 'WordFilter',
  exact: 'ExactFilter',
  boolean: 'FlagFilter',
  integer: 'NumberFilter',
  decimal: 'AmountFilter',
  date: 'DayFilter',
}

/** The parameter `filter` of each list: `TransactionFilter` and so on. */
const createListFilters = () =>
  Object.fromEntries(
    Object.entries(LISTED_FIELDS).map(([table, fields]) => [
      `${table.slice(0, -1).replace(/(?:^|_)(\w)/g, (_, letter) => letter.toUpperCase())}Filter`,
      {
        name: 'filter',
        in: 'query',
        style: 'deepObject',
        description: 'A listed object must match all conditions.',
        schema: {
          type: 'object',
          additionalProperties: false,
          properties: createFilters(fields),
        },
      },
    ]),
  )

const createFilters = (fields: ResourceFields) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, type]) => [
      name,
      { $ref: `#/components/schemas/${FILTERS[type]}` },
    ]),
  )

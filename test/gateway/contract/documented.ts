import { namesIn } from '../../../build/contract-types/names.ts'
import {
  at,
  type Call,
  type Contract,
  part,
  type RequestBody,
  type Schema,
} from '../../../mock-gateway/web/docs/contract.ts'

/** Returns the names of all parameters of a call, except parts of its path. */
export const parametersOf = (contract: Contract, call: Call): string[] =>
  sentWith(contract, call, namesIn)

/** Returns the parameters of a call like `parametersOf`, and the names of nested values. */
export const allParametersOf = (contract: Contract, call: Call): string[] =>
  sentWith(contract, call, allNamesIn)

function sentWith(contract: Contract, call: Call, namesOf: typeof namesIn): string[] {
  const query = call.parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name }) => name)
  if (!call.operation.requestBody) return query
  const body = at<RequestBody>(contract, `${call.pointer}/requestBody`)
  const inBody = Object.keys(body.value.content).flatMap((type) =>
    namesOf(contract, `${body.pointer}/content${part(type)}/schema`),
  )
  return [...new Set([...query, ...inBody])]
}

/** Returns the names of a schema's properties and of their nested properties. */
function allNamesIn(contract: Contract, pointer: string): string[] {
  const schema = at<Schema>(contract, pointer)
  const below = (keyword: string, keys: readonly (string | number)[]) =>
    keys.flatMap((key) => allNamesIn(contract, `${schema.pointer}/${keyword}${part(key)}`))
  const { properties = {}, allOf = [], oneOf = [], items } = schema.value
  return [
    ...Object.keys(properties),
    ...below('properties', Object.keys(properties)),
    ...below('allOf', [...allOf.keys()]),
    ...below('oneOf', [...(oneOf as readonly Schema[]).keys()]),
    ...(items ? allNamesIn(contract, `${schema.pointer}/items`) : []),
  ]
}

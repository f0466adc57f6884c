import {
  at,
  type Call,
  type Contract,
  part,
  type RequestBody,
  type Schema,
} from '../../../mock-gateway/api/docs/contract.ts'

/** Names of everything that can be sent with a call, whatever it is nested in; parts of the address left out. */
export function parametersOf(contract: Contract, call: Call): string[] {
  const query = call.parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)
  if (!call.operation.requestBody) return query
  const body = at<RequestBody>(contract, `${call.pointer}/requestBody`)
  const inBody = Object.keys(body.value.content).flatMap((type) =>
    namesIn(contract, `${body.pointer}/content${part(type)}/schema`),
  )
  return [...new Set([...query, ...inBody])]
}

/** Names of the properties of a schema and of what it holds. */
function namesIn(contract: Contract, pointer: string): string[] {
  const schema = at<Schema>(contract, pointer)
  const below = (keyword: string, keys: readonly (string | number)[]) =>
    keys.flatMap((key) => namesIn(contract, `${schema.pointer}/${keyword}${part(key)}`))
  const { properties = {}, allOf = [], oneOf = [], items } = schema.value
  return [
    ...Object.keys(properties),
    ...below('properties', Object.keys(properties)),
    ...below('allOf', [...allOf.keys()]),
    ...below('oneOf', [...(oneOf as readonly Schema[]).keys()]),
    ...(items ? namesIn(contract, `${schema.pointer}/items`) : []),
  ]
}

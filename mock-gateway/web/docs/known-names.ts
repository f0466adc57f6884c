import type { KnownCalls, KnownField } from '../../contract/known-calls.ts'
import { readOnce } from '../../domain/memoized.ts'
import {
  at,
  type Call,
  type Contract,
  listCalls,
  type RequestBody,
  type Schema,
} from './contract.ts'
import { readContract } from './router.ts'
import { collectProperties, resolveSchema } from './schema.ts'

/** @param folder path of the contract's folder, read on first use */
export function createKnownCalls(folder: string): KnownCalls {
  const calls = readOnce(async () => {
    const contract = await readContract(folder)
    return new Map(
      listCalls(contract).map((call) => [
        formatKey(call.method, call.path),
        collectKnownNames(contract, call),
      ]),
    )
  })
  const known = async (method: string, route: string) =>
    (await calls()).get(formatKey(method.toLowerCase(), route))
  return {
    names: async (method, route) => (await known(method, route))?.names,
    fields: async (method, route) => (await known(method, route))?.fields ?? [],
  }
}

const formatKey = (method: string, path: string) =>
  `${method} ${path.replaceAll(/\{\w+\}|:\w+/g, ':')}`

/** Parameters of every call (specification: parameters). */
const EVERYWHERE = ['merchant_id', 'locale', 'encrypted', 'extend']

function collectKnownNames(contract: Contract, { pointer, operation, parameters }: Call) {
  const names = parameters.map(({ name }) => name.replace(/\[.*/, ''))
  const bodies = operation.requestBody
    ? Object.values(at<RequestBody>(contract, `${pointer}/requestBody`).value.content)
    : []
  const sent = bodies.map(({ schema }) => listFields(contract, schema))
  return {
    names: new Set([...EVERYWHERE, ...names, ...sent.flat().map(({ name }) => name)]),
    fields: sent[0] ?? [],
  }
}

function listFields(contract: Contract, schema: Schema): KnownField[] {
  const { properties, required } = collectProperties(contract, schema)
  return Object.entries(properties).map(([name, property]) => {
    const { description = '', type, enum: choices = [] } = resolveSchema(contract, property)
    return {
      ...{ name, description },
      isNumber: type === 'integer' || type === 'number',
      choices: choices as readonly string[],
      isRequired: required.includes(name),
    }
  })
}

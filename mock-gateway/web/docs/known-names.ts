import type { KnownCalls, KnownField } from '../../contract/known-calls.ts'
import { readOnce } from '../../domain/memoized.ts'
import {
  at,
  type Call,
  type Contract,
  type Document,
  listCalls,
  type RequestBody,
  type Schema,
} from './contract.ts'
import { readContract } from './router.ts'

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
  if (!operation.requestBody) return { names: new Set([...EVERYWHERE, ...names]), fields: [] }
  const body = at<RequestBody>(contract, `${pointer}/requestBody`)
  const types = Object.keys(body.value.content)
  const sent = types.map((type) =>
    listFieldsAt(
      contract,
      `${body.pointer}/content/${type.replaceAll('~', '~0').replaceAll('/', '~1')}/schema`,
    ),
  )
  return {
    names: new Set([...EVERYWHERE, ...names, ...sent.flat().map(({ name }) => name)]),
    fields: sent[0] ?? [],
  }
}

function listFieldsAt(contract: Document, pointer: string): KnownField[] {
  const { value, pointer: here } = at<Schema>(contract, pointer)
  const parts = (value.allOf ?? []).flatMap((_part, index) =>
    listFieldsAt(contract, `${here}/allOf/${index}`),
  )
  const own = Object.keys(value.properties ?? {}).map((name): KnownField => {
    const {
      description = '',
      type,
      enum: choices,
    } = at<Schema>(contract, `${here}/properties/${name}`).value
    const isNumber = type === 'integer' || type === 'number'
    return {
      name,
      description,
      isNumber,
      choices: (choices as string[] | undefined) ?? [],
      isRequired: false,
    }
  })
  const required = new Set(value.required)
  return [...parts, ...own].map((field) =>
    required.has(field.name) ? { ...field, isRequired: true } : field,
  )
}

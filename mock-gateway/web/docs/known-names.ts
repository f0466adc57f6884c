import { readOnce } from '../pages/read-once.ts'
import { at, type Call, type Contract, callsOf, type Document, type RequestBody, type Schema } from './contract.ts'
import { readDocument } from './router.ts'

/**
 * The names that a call reads, by the contract.
 * @param route pattern of the route, such as `/v1/transactions/:id`
 * @returns undefined for calls that are not in the contract, or read any name
 */
export type KnownNames = (method: string, route: string) => Promise<ReadonlySet<string> | undefined>

/** @param folder path of the contract's folder, which is read when somebody first asks */
export function knownNamesIn(folder: string): KnownNames {
  const calls = readOnce(async () => {
    const contract = await readDocument(folder, 'openapi', 'parseContract')
    return new Map(callsOf(contract).map((call) => [keyOf(call.method, call.path), namesOf(contract, call)]))
  })
  return async (method, route) => (await calls()).get(keyOf(method.toLowerCase(), route))
}

const keyOf = (method: string, path: string) => `${method} ${path.replaceAll(/\{\w+\}|:\w+/g, ':')}`

/** Every call reads these (specification: parameters). */
const EVERYWHERE = ['merchant_id', 'locale', 'encrypted', 'extend']

function namesOf(contract: Contract, { pointer, operation, parameters }: Call): ReadonlySet<string> {
  const names = parameters.map(({ name }) => name.replace(/\[.*/, ''))
  if (!operation.requestBody) return new Set([...EVERYWHERE, ...names])
  const body = at<RequestBody>(contract, `${pointer}/requestBody`)
  const types = Object.keys(body.value.content)
  const sent = types.flatMap((type) =>
    propertiesAt(contract, `${body.pointer}/content/${type.replaceAll('~', '~0').replaceAll('/', '~1')}/schema`),
  )
  return new Set([...EVERYWHERE, ...names, ...sent])
}

function propertiesAt(contract: Document, pointer: string): string[] {
  const { value, pointer: here } = at<Schema>(contract, pointer)
  const parts = (value.allOf ?? []).flatMap((_part, index) => propertiesAt(contract, `${here}/allOf/${index}`))
  return [...Object.keys(value.properties ?? {}), ...parts]
}

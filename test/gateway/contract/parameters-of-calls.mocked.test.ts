import { describe, expect, test, vi } from 'vitest'
import type { JsonObject } from '../../../mock-gateway/domain/json.ts'
import type * as parameterReaders from '../../../mock-gateway/parsing/parameters/parameters.ts'
import type * as requestReader from '../../../mock-gateway/parsing/parameters/read.ts'
import type { Call } from '../../../mock-gateway/web/docs/contract.ts'
import { encode } from '../../helpers/gateway.ts'
import { share } from '../../helpers/shared.ts'
import { startErrorGateway, worldOf } from '../errors/world.ts'
import { addressOf, CALLS, contract, SENT, titleOf } from './call-requests.ts'
import { parametersOf } from './documented.ts'

const read = vi.hoisted(() => new Set<string>())

/**
 * Name that marks the parameters of every request, and copies of them, to distinguish them from the
 * gateway's own objects.
 */
const MARK = vi.hoisted(() => 'was_sent')

/** Replaces the readers by readers that also record the name of each parameter. */
vi.mock('../../../mock-gateway/parsing/parameters/parameters.ts', async (load) => {
  const real = await load<typeof parameterReaders>()
  const noting = <Rest extends unknown[], Value>(
    reader: (from: JsonObject, name: string, ...rest: Rest) => Value,
  ) =>
    ((from, name, ...rest) => {
      if (from[MARK] !== undefined) read.add(name)
      return reader(from, name, ...rest)
    }) satisfies typeof reader
  const { text, flag, integer, object, list, isSent, pick } = real
  return {
    ...real,
    // A copy of some parameters keeps the mark.
    pick: ((parameters, names) =>
      pick(parameters, [...names, MARK as never])) satisfies typeof pick,
    text: noting(text),
    flag: noting(flag as (from: JsonObject, name: string) => boolean | undefined) as typeof flag,
    integer: noting(integer),
    object: noting(object),
    list: noting(list),
    isSent: noting(isSent),
  }
})

/** Turns off the request log, which would read all parameters a moment later. */
vi.mock('../../../mock-gateway/web/http/kept-requests.ts', () => ({
  keepRequests: () => ({
    add() {},
    settle: async () => {},
    forget: async () => {},
    close: async () => {},
  }),
}))

/** Records the language, which is the only parameter that the gateway reads without a reader. */
vi.mock('../../../mock-gateway/parsing/parameters/read.ts', async (load) => {
  const real = await load<typeof requestReader>()
  const readParameters: typeof real.readParameters = (request) =>
    new Proxy(real.readParameters(request), {
      get(parameters, name: string) {
        if (name === 'locale' || name === 'lang') read.add(name)
        return parameters[name]
      },
    })
  return { ...real, readParameters }
})

/** Parameters of every call of a merchant, documented once. */
const EVERYWHERE = ['encrypted', 'merchant_id']

/** Fields of the payment page's own forms with the setting form_in_place. */
const OWN_FIELDS = ['page_token']

const shop = await share(startErrorGateway())
const world = worldOf(shop, 'en')

describe('a call reads exactly the parameters that the contract lists for it:', () => {
  // The words of a search are read from its address without a reader.
  for (const call of CALLS.filter(
    ({ operation }) => operation.operationId !== 'searchDocumentation',
  ))
    test(titleOf(call), async () => {
      const seen = new Set<string>()
      for (const fieldsOf of SENT[call.operation.operationId] ?? [() => ({})]) {
        const fields = encode({ ...(await fieldsOf(world)), [MARK]: true })
        const address = await addressOf(world, call)
        read.clear()
        const { status, body } = await sendTo(call, address, fields)
        for (const name of read) seen.add(name)
        const isAnswered = status < 400 || !call.operation.responses[200]
        expect({ isAnswered, body }).toEqual({ isAnswered: true, body })
      }
      expect(known([...seen])).toEqual(known(parametersOf(contract, call)))
    })
})

const sendTo = ({ method }: Call, address: string, fields: string) =>
  method === 'get'
    ? shop.get(`${address}?${fields}`)
    : shop.send(method.toUpperCase(), address, fields)

const known = (names: readonly string[]) =>
  names.filter((name) => ![...EVERYWHERE, ...OWN_FIELDS].includes(name)).sort()

import type { RequestHandler, Response } from 'express'
import { seededBytes } from '../../domain/chance.ts'
import { GatewayError } from '../../domain/errors.ts'
import type { OrderFault } from '../../requests/control/faults.ts'

/** A rule that waits for requests. */
export interface Fault extends OrderFault {
  readonly id: number
  /** How many requests it has struck. */
  readonly struck: number
}

/** Faults that tests have ordered. They are in memory: a restart forgets them. */
export interface Faults {
  add(rule: OrderFault): Fault
  list(merchantId?: number): readonly Fault[]
  /** @returns false when there is none with this id */
  remove(id: number): boolean
  /** Whether there is any: as a rule there is none, and a request is to pay nothing for that. */
  isOrdered(): boolean
  /** Forgets those of a merchant, or all. */
  clear(merchantId?: number): void
  /** The first that strikes a request; it counts as struck. */
  strike(request: Struck): Fault | undefined
}

interface Struck {
  readonly method: string
  readonly path: string
  /** Undefined: not proven yet. */
  readonly merchantId: number | undefined
}

export function createFaults(): Faults {
  let faults: readonly (Fault & { readonly draw: () => number })[] = []
  let lastId = 0

  const matches = ({ method, path, merchantId }: OrderFault, request: Struck) =>
    merchantId === (request.merchantId ?? null) &&
    (method === null || method === request.method) &&
    (path === null || request.path.startsWith(path))

  return {
    add(rule) {
      lastId += 1
      const bytes = seededBytes(rule.seed)
      const draw = () => Buffer.from(bytes(4)).readUInt32BE() / 2 ** 32
      const fault = { ...rule, id: lastId, struck: 0, draw }
      faults = [...faults, fault]
      return fault
    },
    list: (merchantId) => faults.filter((fault) => merchantId === undefined || fault.merchantId === merchantId),
    remove(id) {
      const before = faults
      faults = faults.filter((fault) => fault.id !== id)
      return faults.length < before.length
    },
    isOrdered: () => faults.length > 0,
    clear(merchantId) {
      faults = merchantId === undefined ? [] : faults.filter((fault) => fault.merchantId !== merchantId)
    },
    strike(request) {
      const found = faults.find((fault) => matches(fault, request) && fault.draw() < fault.probability)
      if (!found) return undefined
      const struck = { ...found, struck: found.struck + 1 }
      const isOver = struck.times !== null && struck.struck >= struck.times
      faults = faults.flatMap((fault) => (fault === found ? (isOver ? [] : [struck]) : [fault]))
      return struck
    },
  }
}

/** Strikes requests before anything of them is read: with the rules that name no merchant. */
export const strikeFaults: RequestHandler = async (request, response, next) => {
  // Who has ordered a fault can always take it back.
  if (!request.path.toLowerCase().startsWith('/_control')) await strike(response, undefined)
  next()
}

/**
 * Lets a fault strike the request of this answer.
 * @param merchantId whose rules; undefined: those of nobody
 * @throws errors.service_not_available (243) with 503
 */
export async function strike(response: Response, merchantId: number | undefined): Promise<void> {
  const { req, locals } = response
  const { faults } = locals.exchange.service
  if (!faults.isOrdered()) return
  const path = req.originalUrl.replace(/\?.*$/s, '')
  const fault = faults.strike({ method: req.method, path, merchantId })
  if (fault) await STRIKES[fault.kind](response, fault)
}

const STRIKES: Readonly<Record<OrderFault['kind'], (response: Response, fault: Fault) => Promise<void> | void>> = {
  latency: (_response, { milliseconds }) => new Promise((resolve) => setTimeout(resolve, milliseconds).unref()),
  drop(response) {
    const cut = () => {
      response.req.socket.destroy()
      return response
    }
    Object.assign(response, { writeHead: cut, write: () => !cut(), end: cut })
  },
  unavailable() {
    throw new GatewayError('errors.service_not_available', {
      explain: 'This fault was ordered by /_control/faults',
      http: 503,
    })
  },
}

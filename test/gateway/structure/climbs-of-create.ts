import { AsyncLocalStorage } from 'node:async_hooks'
import { createRequire, registerHooks } from 'node:module'
import { relative } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { CALLED, tellingCalls } from './calls.ts'
import { layerOf } from './layers.ts'

/*
 * Pays in a gateway whose functions tell who calls them, and prints which files each payment passed, and what it climbed:
 * every call, nameless functions' too, of a module by one further down.
 */

/** What a payment has passed and climbed so far. */
interface Payment {
  readonly files: Set<string>
  readonly climbs: string[]
  /** What is done afterwards, such as keeping the request, is none of it. */
  answered: boolean
}

/** Where a payment stands: the function that is at work, or that awaits what is. */
interface Place {
  readonly payment: Payment
  /** Undefined where Express has called. */
  readonly at?: { readonly module: string; readonly name: string }
}

const place = new AsyncLocalStorage<Place>()

function called<T>(module: string, name: string, body: () => T): T {
  const here = place.getStore()
  if (!here) return body()
  const { payment, at } = here
  if (payment.answered) return body()
  payment.files.add(name.replace(/:\d+$/, ''))
  if (at && layerOf(module) < layerOf(at.module)) payment.climbs.push(`${at.name} -> ${name}`)
  return place.run({ payment, at: { module, name } }, body)
}
Object.assign(globalThis, { [CALLED]: called })

// Express goes from one handler to the next, and is in no module.
const COUNTED = 'x-counted'
const payments = new Map<string, Payment>()
const require = createRequire(import.meta.resolve('express'))
const { prototype: layer } = require('router/lib/layer')
for (const [method, requestAt] of [
  ['handleRequest', 0],
  ['handleError', 1],
] as const) {
  const handle = layer[method]
  layer[method] = function (...args: { readonly headers?: Readonly<Record<string, string>> }[]) {
    const payment = payments.get(args[requestAt]?.headers?.[COUNTED] ?? '')
    const next = () => handle.apply(this, args)
    return payment ? place.run({ payment }, next) : next()
  }
}

const root = fileURLToPath(new URL('../../..', import.meta.url))
registerHooks({
  load(url, context, next) {
    const loaded = next(url, context)
    const path = url.startsWith('file:') ? relative(root, fileURLToPath(url)).replaceAll('\\', '/') : ''
    if (!/^mock-gateway\/.*\.ts$/.test(path)) return loaded
    return { ...loaded, source: tellingCalls(path, String(loaded.source)) }
  },
})

const { startGateway, payment } = await import('../../helpers/gateway.ts')
const shop = await startGateway()
for (const ref of ['a', 'b', 'c', 'd', 'e']) {
  // What is kept of the request before is written by then: a slow payment would be written with it.
  await pause(150)
  payments.set(ref, { files: new Set(), climbs: [], answered: false })
  const { status } = await shop.post('/v1/transactions', payment({ payment_ref: ref }), { [COUNTED]: ref })
  Object.assign(payments.get(ref) ?? {}, { answered: true })
  if (status !== 200) throw new Error(`The payment was answered ${status}`)
}
await shop.close()
process.stdout.write(JSON.stringify([...payments.values()].map(({ files, climbs }) => ({ files: [...files], climbs }))))

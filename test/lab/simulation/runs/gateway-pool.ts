import type { GatewayOptions } from '../../../../mock-gateway/gateway.ts'
import { type CreateGateway, type GatewayProcess, openGateway } from './gateways.ts'
import type { Scheduler } from './scheduler.ts'

/** Milliseconds within which all gateways must be open again. */
const OPENING_MS = 120_000

interface PoolParts {
  readonly createGateway: CreateGateway
  readonly scheduler: Scheduler
  readonly count: number
  /** Returns the options of a gateway by its name. */
  readonly optionsOf: (name: string) => GatewayOptions
  tell(who: string, what: string): void
  fail(rule: string, message: string): never
  /** Returns true if an error follows from an injected fault. */
  isInjected(error: Error): boolean
  /** Called when a gateway was killed. */
  onEnd(): void
}

/**
 * Gateways of a simulation run. Each slot has one gateway, which is opened again after it was
 * killed.
 */
export interface GatewayPool {
  /** Running gateways by slot. */
  readonly living: ReadonlyMap<number, GatewayProcess>
  /**
   * Kills a gateway, and opens it again.
   * @param back milliseconds until it is opened
   */
  end(slot: number, why: string, back: number): void
  /** Kills all gateways, and opens them again. */
  endAll(why: string, back: number): void
  /** Waits until all gateways are open. */
  whole(): Promise<void>
  /** Closes every gateway like a machine that is shut down. */
  close(): Promise<void>
  /** Kills all gateways, and opens no new ones. */
  abandon(): void
}

/** Creates the pool; its gateways are opening. */
export function createGatewayPool(parts: PoolParts): GatewayPool {
  const { createGateway, scheduler, count, optionsOf, tell, fail, isInjected, onEnd } = parts
  const living = new Map<number, GatewayProcess>()
  const killers = new Map<number, () => void>()
  const over = new AbortController()
  let incarnations = 0
  let isClosing = false

  /** Opens a gateway, with as many attempts as needed. */
  async function open(slot: number) {
    while (!isClosing) {
      const name = `gateway ${slot + 1}.${++incarnations}`
      try {
        const born = ({ kill }: Pick<GatewayProcess, 'kill'>) => void killers.set(slot, kill)
        const opened = await openGateway(name, createGateway, optionsOf(name), born, over.signal)
        if (!opened) return
        living.set(slot, opened)
        tell(name, 'is open')
        return
      } catch (error) {
        killers.get(slot)?.()
        killers.delete(slot)
        const { message } = error as Error
        tell(name, `does not open: ${message}`)
        if (!isInjected(error as Error)) fail('opens', message)
        await scheduler.sleep(500)
      }
    }
  }

  function end(slot: number, why: string, back: number) {
    const kill = killers.get(slot)
    if (!kill) return
    kill()
    onEnd()
    killers.delete(slot)
    living.delete(slot)
    tell(`gateway ${slot + 1}`, why)
    scheduler.after(back, () => void open(slot))
  }

  const slots = Array.from({ length: count }, (_, slot) => slot)
  for (const slot of slots) void open(slot)

  return {
    living,
    end,
    endAll(why, back) {
      for (const slot of slots) end(slot, why, back)
    },
    async whole() {
      const until = scheduler.now() + OPENING_MS
      while (living.size < count) {
        await scheduler.sleep(100)
        if (scheduler.now() > until) fail('opens', 'Not every gateway opens again')
      }
    },
    async close() {
      isClosing = true
      for (const [slot, process] of living) {
        await process.close()
        tell(`gateway ${slot + 1}`, 'is closed')
      }
    },
    abandon() {
      isClosing = true
      for (const kill of killers.values()) kill()
      over.abort()
    },
  }
}

import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import type { Data } from '../runs/data.ts'
import { createReader } from './reader.ts'
import { layWire, WireSocket } from './socket.ts'
import { createWire } from './wire.ts'

/** Server on which databases can be created, and one of its databases with empty gateway tables. */
export interface Server {
  /** `postgres://` address. */
  readonly url: string
  readonly template: string
}

const SCHEMA = 'mondido'

/**
 * Pattern of errors that a gateway may log, or end with, after its connection was cut or the server
 * ended its wait.
 */
const INJECTED =
  /ECONNRESET|ECONNREFUSED|Connection terminated|Client has encountered|has been discarded|timeout|has not answered in time|canceling statement/

/**
 * Replaces the sockets of this process. Returns a function that creates a database for each run.
 */
export function onPostgres({ url, template }: Server): (seed: number) => Data {
  const read = createReader()
  const server = (statement: string) => read(url, statement)
  Object.assign(net, { Socket: WireSocket })
  syncBuiltinESMExports()
  let made = 0
  let remove = () => {}
  process.once('exit', () => remove())
  process.once('SIGTERM', () => process.exit())
  return (seed) => {
    const name = `simulation_${process.pid}_${seed}_${++made}`
    const target = Object.assign(new URL(url), { pathname: `/${name}` }).href
    server(`create database ${name} template ${template} strategy file_copy`)
    // Deadlocks are reported immediately, because simulated time does not wait.
    server(`alter database ${name} set deadlock_timeout = 1`)
    const rows = (statement: string) => read(target, statement)
    rows(`set search_path to ${SCHEMA}`)
    remove = () => {
      remove = () => {}
      read(target)
      server(`drop database ${name} with (force)`)
    }
    return {
      store: {
        target: () => target,
        rows,
        version: () => String(rows('select pg_current_snapshot() as at')[0]?.at),
        // The server is on another machine, which does not lose power.
        losePower() {},
        remove: () => remove(),
      },
      lay(parts) {
        const wire = createWire(parts, server)
        layWire(wire)
        return wire.rest
      },
      // Over a network, a gateway cannot know whether another one that moves a clock has died
      // (decision 17).
      leaseMs: 46_000,
      isInjected: ({ message }) => INJECTED.test(message),
    }
  }
}

import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { GATEWAY_PROGRAM, startProgram } from '../../helpers/program.ts'
import { until } from '../../helpers/sink.ts'
import { temporaryFolder } from '../../setup/temporary.ts'
import { reconcileAfter } from './crash.ts'
import { Ledger } from './ledger.ts'
import { placeOrder } from './load.ts'
import { openReceiver } from './receiver.ts'

const WRITES = 60

/** Fault that is applied to a running gateway before a write, and removed after it. */
interface Fault {
  /** True if the fault needs `prlimit`. */
  readonly isLinuxOnly: boolean
  inject(pid: number): unknown
  lift(pid: number): unknown
  /** Pattern of the rejection of the write. Undefined: the write succeeds. */
  readonly refusal: RegExp | undefined
  /** Possible statuses of a page meanwhile. Its files may not have been read before. */
  readonly page: readonly number[]
}

/** Sets a soft limit of a running process, which needs no root user. */
const limit = (pid: number, what: string) => execFileSync('prlimit', ['--pid', String(pid), what])

const FAULTS: Readonly<Record<string, Fault>> = {
  'disk is full': {
    isLinuxOnly: true,
    inject: (pid) => limit(pid, '--fsize=1:'),
    lift: (pid) => limit(pid, '--fsize=unlimited:'),
    refusal: /data file cannot be read or written|is full/,
    page: [200],
  },
  'process has no descriptor left': {
    isLinuxOnly: true,
    inject: async (pid) => limit(pid, `--nofile=${(await readdir(`/proc/${pid}/fd`)).length}:`),
    lift: (pid) => limit(pid, '--nofile=1024:'),
    refusal: undefined,
    page: [200, 503],
  },
  'clock is set back by an hour': {
    isLinuxOnly: false,
    inject: (pid) => process.kill(pid, 'SIGUSR2'),
    lift: (pid) => process.kill(pid, 'SIGUSR2'),
    refusal: undefined,
    page: [200],
  },
}

const isLinux = process.platform === 'linux'

const CLOCK = new URL('clock-set-back.ts', import.meta.url).href

test.each(Object.entries(FAULTS).filter(([, { isLinuxOnly }]) => !isLinuxOnly || isLinux))(
  `a gateway whose %s at each tenth of ${WRITES} writes rejects requests with a reason or continues, and loses nothing`,
  async (_name, { inject, lift, refusal, page }) => {
    const folder = await mkdtemp(join(temporaryFolder(), 'mondido-tenth-'))
    const place = ['--data', folder]
    const ledger = new Ledger()
    const receiver = await openReceiver()
    const webhook = JSON.stringify({ trigger: 'payment', url: receiver.url })
    const env = { LOG_LEVEL: 'silent', NODE_OPTIONS: `--import ${CLOCK}` }
    const program = startProgram(GATEWAY_PROGRAM, [...place, '--port', '0'], env)
    const url = /https?:\S+/.exec(await program.printed(/REST API/))?.[0] ?? ''
    const pid = program.pid ?? 0
    const refusals: string[] = []
    const pages = new Set<number>()
    let writes = 0
    let injections = 0
    let isInjected = false
    async function meet() {
      if (isInjected) {
        const answer = await fetch(new URL('/openapi.json', url))
        pages.add(answer.status)
        await answer.arrayBuffer()
        await lift(pid)
      }
      writes += 1
      isInjected = writes % 10 === 9
      if (!isInjected) return
      injections += 1
      await inject(pid)
    }
    while (writes < WRITES) {
      await placeOrder(url, ledger.newOrder(), webhook, meet).catch((error) => {
        refusals.push(error.message)
        return meet()
      })
    }
    if (isInjected) await lift(pid)
    const { creates, captures } = ledger.acknowledged()
    await until(async () => receiver.told.size >= creates + captures)
    await program.stop()
    expect(await reconcileAfter(place, ledger, receiver)).toEqual([])
    await receiver.close()
    await rm(folder, { recursive: true })
    expect(refusals).toEqual(refusal ? Array(injections).fill(expect.stringMatching(refusal)) : [])
    for (const status of pages) expect(page).toContain(status)
  },
)

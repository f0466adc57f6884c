import { readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunGateway } from '../../../mock-gateway/cli/running-gateway.ts'
import { openReceiver } from '../process/receiver.ts'
import { Answers } from './answers.ts'
import type { Recorded } from './replay.ts'
import type { Step } from './trace.ts'

const JOURNAL = 'gateway.db-wal'

/**
 * Of SQLite's journal (its file format, section 4): bytes of its own header, of that of a frame,
 * and of a page.
 */
const HEADER = 32
const FRAME = 24
const PAGE = 4096

/**
 * Lets a gateway answer so many orders, and reads from its journal what it wrote: SQLite writes
 * frames one after the other, and all up to an answer are taken for flushed. Needs nothing but
 * Node; that they are flushed, `record` finds out.
 * @param data a new folder
 */
export async function recordByJournal(
  run: RunGateway,
  orders: number,
  data: string,
): Promise<Recorded> {
  const receiver = await openReceiver()
  const gateway = await run(['--data', data, '--port', '0', '--log-level', 'silent'], {}, () => {})
  const names = (await readdir(data)).filter((name) => !name.endsWith('-shm'))
  const begins = new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(join(data, name))] as const)),
  )
  const answers = new Answers()
  const trace: Step[] = []
  let read = begins.get(JOURNAL)?.length ?? 0
  for (let order = 0; order < orders; order++)
    await answers.place(`${gateway.url}/v1`, receiver, (id) => {
      const journal = readFileSync(join(data, JOURNAL))
      trace.push(...framesOf(journal, read), { kind: 'flush', file: JOURNAL }, { kind: 'said', id })
      read = journal.length
    })
  await gateway.close()
  await receiver.close()
  return { trace, answers, begins, told: receiver.told }
}

/**
 * What SQLite wrote to its journal from a place on: of each frame first the header, then the page.
 */
function framesOf(journal: Uint8Array, from: number): readonly Step[] {
  const steps: Step[] = []
  const write = (at: number, length: number) =>
    void steps.push({ kind: 'write', file: JOURNAL, at, bytes: journal.slice(at, at + length) })
  if (from === 0) write(0, HEADER)
  for (let at = Math.max(from, HEADER); at < journal.length; at += FRAME + PAGE) {
    write(at, FRAME)
    write(at + FRAME, PAGE)
  }
  return steps
}

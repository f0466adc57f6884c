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
 * Sizes in SQLite's journal in bytes (SQLite file format, section 4): the header of the journal,
 * the header of a frame, and a page.
 */
const HEADER = 32
const FRAME = 24
const PAGE = 4096

/**
 * Lets a gateway answer orders, and reads its writes from SQLite's journal. SQLite appends frames,
 * and all frames before an answer count as flushed. This needs only Node; `record` checks that the
 * frames are really flushed.
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
 * Returns the writes to SQLite's journal from an offset on: for each frame its header, then its
 * page.
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

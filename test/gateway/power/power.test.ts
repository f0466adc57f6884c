import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runGateway } from '../../../mock-gateway/cli.ts'
import { sharedFolder } from '../../helpers/shared.ts'
import { createChance } from '../../lab/simulation/runs/chance.ts'
import { createDisk } from './disk.ts'
import { recordByJournal } from './journal.ts'
import { crashPointsOf, type Replayed, replay } from './replay.ts'
import { readStrace } from './strace.ts'
import type { Step } from './trace.ts'

/**
 * Number of orders and crash points. `npm run lab -- power` has 600 orders and 500 crash points,
 * from recorded system calls.
 */
const ORDERS = 6
const CRASH_POINTS = 10

const folder = await sharedFolder()
const recorded = await recordByJournal(runGateway, ORDERS, join(folder, 'data'))

async function problemsOf(seed: string, trace = recorded.trace): Promise<readonly string[]> {
  const all: Replayed[] = []
  await replay(
    runGateway,
    { ...recorded, trace },
    crashPointsOf(trace, CRASH_POINTS, createChance(seed)),
    seed,
    folder,
    (replayed) => {
      all.push(replayed)
    },
  )
  expect(all).toHaveLength(CRASH_POINTS)
  expect(all.at(-1)?.said).toBeGreaterThan(ORDERS)
  return all.flatMap(({ problems }) => problems)
}

test('after a power loss every acknowledged write is stored, and the gateway continues', async () => {
  expect(await problemsOf('1')).toEqual([])
})

test('an answer that is sent before its data are flushed is detected', async () => {
  const late = recorded.trace.filter(({ kind }) => kind !== 'flush')
  expect(await problemsOf('1', late)).toContainEqual(expect.stringMatching(/^lost: /))
})

describe('a simulated disk', () => {
  const FILE = 'a'
  const bytes = (text: string) => new TextEncoder().encode(text)
  const write = (at: number, text: string): Step => ({
    kind: 'write',
    file: FILE,
    at,
    bytes: bytes(text),
  })
  const flush: Step = { kind: 'flush', file: FILE }

  /**
   * Returns the content of a file after each of many power losses: '-' if the file is missing, '--'
   * if the folder is missing.
   */
  function seen(steps: readonly Step[], begins?: ReadonlyMap<string, Uint8Array>) {
    const disk = createDisk(begins)
    for (const step of steps) disk.take(step)
    const texts = Array.from({ length: 200 }, (_, seed) => {
      const left = disk.losePower(createChance(`${seed}`))
      const file = left?.get(FILE)
      return left ? (file ? Buffer.from(file).toString() : '-') : '--'
    })
    return [...new Set(texts)].sort()
  }
  const there = new Map([[FILE, bytes('old')]])

  test('keeps flushed data, and any part of unflushed data', () => {
    expect(seen([write(0, 'new'), flush], there)).toEqual(['new'])
    expect(seen([write(0, 'new')], there)).toEqual(['new', 'old'])
    expect(seen([write(3, 'er'), write(0, 'bold')], there)).toEqual(['boldr', 'old', 'older'])
  })

  test('can store a write only up to a boundary of its sectors', () => {
    const torn = seen([write(0, 'x'.repeat(1024))], new Map([[FILE, bytes('o'.repeat(1024))]]))
    expect(torn.map((text) => [text[0], text[512]].join(''))).toEqual(['oo', 'ox', 'xo', 'xx'])
  })

  test('can lose names of files and of the folder that are not flushed', () => {
    const made: Step[] = [{ kind: 'create', file: FILE }, write(0, 'new'), flush]
    expect(seen(made, new Map())).toEqual(['-', 'new'])
    expect(seen([...made, { kind: 'flush names' }], new Map())).toEqual(['new'])
    expect(seen([{ kind: 'remove', file: FILE }], there)).toEqual(['-', 'old'])
    const all: Step[] = [{ kind: 'make folder' }, ...made, { kind: 'flush names' }]
    expect(seen(all)).toEqual(['--', 'new'])
    expect(seen([...all, { kind: 'flush folder' }])).toEqual(['new'])
  })
})

test('a log of strace is converted into the changes of the folder', async () => {
  const hex = (text: string) =>
    [...Buffer.from(text)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')
  const log = join(folder, 'log')
  const file = `5<${hex('/data/in/a')}>`

  await writeFile(
    log,
    [
      `7 mkdir("${hex('/data/in')}", 0700) = 0`,
      `7 openat(AT_FDCWD<${hex('/')}>, "${hex('/data/in/a')}", O_RDWR|O_CREAT|O_CLOEXEC, 0600) = ${file}`,
      `8 openat(AT_FDCWD<${hex('/')}>, "${hex('/elsewhere')}", O_RDWR|O_CREAT, 0600) = 9<${hex('/elsewhere')}>`,
      `7 pwrite64(${file}, "${hex('page')}", 4, 8192 <unfinished ...>`,
      `8 write(9<${hex('/elsewhere')}>, "${hex('x')}", 1) = 1`,
      '7 <... pwrite64 resumed>) = 4',
      `7 fdatasync(${file}) = 0`,
      `7 fsync(6<${hex('/data/in')}>) = 0`,
      `7 fsync(6<${hex('/data')}>) = 0`,
      `7 write(12<${hex('socket:[1]')}>, "${hex('HTTP/1.1 200 OK\r\nX-Request-Id: 12-ab\r\n')}", 37) = 37`,
      `7 ftruncate(${file}, 512) = 0`,
      `7 unlink("${hex('/data/in/a')}") = -1 ENOENT (No such file or directory)`,
      `7 unlink("${hex('/data/in/a')}") = 0`,
      '',
    ].join('\n'),
  )
  expect(await readStrace(log, '/data/in')).toEqual([
    { kind: 'make folder' },
    { kind: 'create', file: 'a' },
    { kind: 'write', file: 'a', at: 8192, bytes: Buffer.from('page') },
    { kind: 'flush', file: 'a' },
    { kind: 'flush names' },
    { kind: 'flush folder' },
    { kind: 'said', id: '12-ab' },
    { kind: 'resize', file: 'a', size: 512 },
    { kind: 'remove', file: 'a' },
  ])
})

import { spawnSync } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import type { Step } from './trace.ts'

/** Recorded system calls: all calls that change files or send bytes. */
const CALLS = [
  ...[
    'openat',
    'open',
    'creat',
    'pwrite64',
    'write',
    'writev',
    'pwritev',
    'ftruncate',
    'fsync',
    'fdatasync',
  ],
  ...[
    'unlink',
    'unlinkat',
    'rename',
    'renameat',
    'renameat2',
    'mkdir',
    'mkdirat',
    'link',
    'linkat',
  ],
  ...['sendto', 'sendmsg', 'fallocate', 'copy_file_range', 'sendfile'],
]

export const hasStrace = (): boolean => spawnSync('strace', ['--version']).status === 0

/**
 * Returns the command that runs a program and writes its calls into a file.
 * @param log one call on each line, all bytes in hexadecimal
 */
export const traced = (
  log: string,
  program: string,
  args: readonly string[],
): readonly [string, readonly string[]] => [
  'strace',
  [
    '-f',
    '-qq',
    '--seccomp-bpf',
    '-y',
    '-xx',
    '-s',
    '10000000',
    '-e',
    `trace=${CALLS}`,
    '-o',
    log,
    program,
    ...args,
  ],
]

const inHex = (text: string) =>
  [...Buffer.from(text)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')
const bytesOf = (hex: string): Buffer => Buffer.from(hex.replaceAll('\\x', ''), 'hex')
const textOf = (hex = '') => bytesOf(hex).toString('latin1')

/** Finished system call. */
interface Call {
  readonly name: string
  readonly given: string
  readonly result: string
}

/** Reads the system calls of a log, in the order in which they ended. */
async function* callsIn(log: string, mentions: readonly string[]): AsyncGenerator<Call> {
  const begun = new Map<string, string>()
  for await (const line of createInterface({ input: createReadStream(log) })) {
    const [, thread = '', rest = ''] = /^(\d+) +(.*)$/.exec(line) ?? []
    const [, start] = /^(.*) <unfinished \.\.\.>$/.exec(rest) ?? []
    if (start !== undefined) {
      begun.set(thread, start)
      continue
    }
    const [, end] = /^<\.\.\. \w+ resumed>(.*)$/.exec(rest) ?? []
    const whole = end === undefined ? rest : (begun.get(thread) ?? '') + end
    if (!mentions.some((each) => whole.includes(each))) continue
    const [, name = '', given = '', result = ''] = /^(\w+)\((.*)\) += (.*)$/.exec(whole) ?? []
    if (!result.startsWith('-1')) yield { name, given, result }
  }
}

const SAID = [/x-request-id: ([\w-]+)/i, /webhook-id: ([\w-]+)/i]

/**
 * Reads the changes of a process to a data folder.
 * @throws Error at an unknown call
 */
export async function readStrace(log: string, folder: string): Promise<Step[]> {
  const [inside, above] = [`${folder}/`, dirname(folder)]
  const steps: Step[] = []
  const nameIn = (path: string) => (path.startsWith(inside) ? path.slice(inside.length) : undefined)
  const paths = (given: string) =>
    [...given.matchAll(/"((?:\\x..)*)"/g)].map(([, hex]) => textOf(hex))
  const openPath = (given: string) => textOf(/^\d+<((?:\\x..)*)>/.exec(given)?.[1])

  function said(bytes: string) {
    for (const pattern of SAID) {
      const id = pattern.exec(bytes)?.[1]
      if (id !== undefined) steps.push({ kind: 'said', id })
    }
  }
  const written = (given: string) =>
    [...given.matchAll(/"((?:\\x..)*)"/g)].map(([, hex]) => bytesOf(hex ?? ''))
  function write(given: string, at: number | undefined) {
    const file = nameIn(openPath(given))
    const bytes = Buffer.concat(written(given))
    if (file === undefined) return said(bytes.toString('latin1'))
    if (file.endsWith(' (deleted)') || file.endsWith('-shm')) return
    // Node writes whole files from their beginning.
    steps.push({ kind: 'write', file, at: at ?? 0, bytes })
  }
  function flush(given: string) {
    const path = openPath(given)
    const file = nameIn(path)
    if (file !== undefined) steps.push({ kind: 'flush', file })
    if (path === folder) steps.push({ kind: 'flush names' })
    if (path === above) steps.push({ kind: 'flush folder' })
  }
  function two(kind: 'link' | 'rename', given: string) {
    const [file, to] = paths(given).map(nameIn)
    if (file !== undefined && to !== undefined) steps.push({ kind, file, to })
  }
  const READ: Readonly<Record<string, (call: Call) => void>> = {
    openat({ given }) {
      const file = nameIn(paths(given)[0] ?? '')
      if (file === undefined || file.endsWith('-shm')) return
      if (given.includes('O_CREAT')) steps.push({ kind: 'create', file })
      if (given.includes('O_TRUNC')) steps.push({ kind: 'resize', file, size: 0 })
    },
    pwrite64: ({ given }) => write(given, Number(/, (\d+)$/.exec(given)?.[1])),
    write: ({ given }) => write(given, undefined),
    writev: ({ given }) => write(given, undefined),
    sendto: ({ given }) => write(given, undefined),
    sendmsg: ({ given }) => write(given, undefined),
    fsync: ({ given }) => flush(given),
    fdatasync: ({ given }) => flush(given),
    ftruncate({ given }) {
      const file = nameIn(openPath(given))
      if (file !== undefined && !file.endsWith('-shm'))
        steps.push({ kind: 'resize', file, size: Number(/, (\d+)$/.exec(given)?.[1]) })
    },
    unlink({ given }) {
      const file = nameIn(paths(given)[0] ?? '')
      if (file !== undefined) steps.push({ kind: 'remove', file })
    },
    link: ({ given }) => two('link', given),
    rename: ({ given }) => two('rename', given),
    mkdir({ given }) {
      if (paths(given)[0] === folder) steps.push({ kind: 'make folder' })
    },
  }
  for await (const call of callsIn(log, [
    inHex(folder),
    ...['X-Request-Id: ', 'webhook-id: '].map(inHex),
    inHex(above),
  ])) {
    const read = READ[call.name]
    if (read) read(call)
    else if (paths(call.given).some((path) => path.startsWith(inside)))
      throw new Error(`Not known: ${call.name}`)
  }
  return steps
}

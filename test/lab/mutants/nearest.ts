import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Mutant } from './mutants.ts'
import { blockAt, blockName, blocksOf } from './reach.ts'
import { ROOT } from './sources.ts'

/** Blocks that a test file reaches, as written by `note-reach.ts`. */
export interface Noted {
  readonly file: string
  /** Duration of the test file in milliseconds. */
  readonly ms: number
  /** Names of the reached blocks. */
  readonly blocks: readonly string[]
}

/** Folder of the records, with a file for each test file. */
export const NOTES = `${ROOT}node_modules/.cache/branches`

/** Maximum duration in milliseconds of all tests for one mutant, and of tests that run together. */
const LIMIT_MS = 150_000
const TOGETHER_MS = 10_000

export const readNotes = (): readonly Noted[] =>
  globSync(`${NOTES}/*.json`).map((file) => JSON.parse(readFileSync(file, 'utf8')))

/** Returns the folder with the tests of a source's module. */
const testsOf = (path: string) =>
  `test/${path.replace('mock-', '').split('/').slice(0, 2).join('/')}/`

/**
 * Returns the test files for a mutant: first files that import its source or have its name, then
 * files that reach its block, with files of the same module and fast files first. If the source is
 * newer than the records, files that reach any of its blocks are used. If no block is recorded, as
 * for tables, all recorded files are used.
 * @returns groups of files that run together
 */
export function nearestTests(
  notes: readonly Noted[],
  { path, start }: Mutant,
): readonly (readonly string[])[] {
  const source = readFileSync(ROOT + path, 'utf8')
  const block = blockName(path, source, blockAt(blocksOf(path, source), start))
  const ofProject = notes.filter(
    ({ file }) => file.startsWith('test/sdk/') === path.startsWith('sdk/'),
  )
  const isClose = ({ file }: Noted) =>
    basename(file, '.test.ts') === basename(path, '.ts') ||
    readFileSync(ROOT + file, 'utf8').includes(`/${path}'`)
  const isOfRoom = ({ file }: Noted) => file.startsWith(testsOf(path))
  const reach = (what: string) =>
    ofProject.filter(({ blocks }) => blocks.some((name) => name.startsWith(what)))
  const [far = []] = [reach(block), reach(`${path}#`), ofProject].filter(({ length }) => length > 0)
  const close = new Set(ofProject.filter(isClose))
  const distance = (one: Noted) => (close.has(one) ? 0 : isOfRoom(one) ? 1 : 2)
  const nearest = [...new Set([...close, ...far])].toSorted(
    (one, other) => distance(one) - distance(other) || one.ms - other.ms,
  )
  let ms = 0
  const groups = Map.groupBy(nearest, (one) => {
    ms += one.ms
    return ms < LIMIT_MS ? Math.floor(ms / TOGETHER_MS) : undefined
  })
  groups.delete(undefined)
  return [...groups.values()].map((group) => group.map(({ file }) => file))
}

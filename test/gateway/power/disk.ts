import type { Chance } from '../../lab/simulation/runs/chance.ts'
import type { Step } from './trace.ts'

/** Number of bytes that a disk writes as a whole. */
const SECTOR = 512

/** A change of a file's bytes that may be on the disk or not. */
type Change = Extract<Step, { kind: 'write' | 'resize' }>

interface File {
  /** Flushed content, which is certainly on the disk. */
  flushed: Uint8Array
  changes: Change[]
}

/**
 * Changed names of a folder, with their files after the change. Undefined: the name was deleted.
 */
type Naming = ReadonlyMap<string, File | undefined>

/**
 * Weights for the part of the unflushed data that has reached the disk: nothing, all, the first
 * writes, the first writes with a part of the last one, or any sectors.
 */
const FATES = { nothing: 3, all: 1, first: 2, torn: 3, any: 4 }
type Fate = keyof typeof FATES

/** Functions that choose the unflushed changes that have reached the disk. */
const REACHED: Readonly<
  Record<Fate, <Item>(items: readonly Item[], chance: Chance) => readonly Item[]>
> = {
  nothing: () => [],
  all: (items) => items,
  first: (items, chance) => items.slice(0, chance.below(items.length + 1)),
  torn: (items, chance) => items.slice(0, chance.below(items.length + 1)),
  any: (items, chance) => items.filter(() => chance.happens(0.5)),
}

/**
 * Simulated disk with a data folder: its flushed content, and the changes that a power loss can
 * undo.
 */
export interface Disk {
  take(step: Step): void
  /**
   * Returns the files after a power loss at this moment, by name. Undefined: the folder is missing.
   */
  losePower(chance: Chance): ReadonlyMap<string, Uint8Array> | undefined
}

/**
 * Creates a disk.
 * @param begins names and bytes that are on the disk from the beginning; undefined: no folder
 */
export function createDisk(begins?: ReadonlyMap<string, Uint8Array>): Disk {
  let hasFolder = begins !== undefined
  let isFolderSafe = hasFolder
  const names = new Map<string, File>()
  for (const [name, flushed] of begins ?? []) names.set(name, { flushed, changes: [] })
  let safeNames: ReadonlyMap<string, File> = new Map(names)
  let namings: Naming[] = []

  function rename(change: Naming) {
    for (const [name, file] of change) {
      if (file) names.set(name, file)
      else names.delete(name)
    }
    namings.push(change)
  }

  const TAKE: { readonly [Kind in Step['kind']]: (step: Extract<Step, { kind: Kind }>) => void } = {
    write: (step) => void names.get(step.file)?.changes.push(step),
    resize: (step) => void names.get(step.file)?.changes.push(step),
    flush({ file: name }) {
      const file = names.get(name)
      if (file) Object.assign(file, { flushed: applied(file.flushed, file.changes), changes: [] })
    },
    create: ({ file }) =>
      rename(new Map([[file, names.get(file) ?? { flushed: new Uint8Array(), changes: [] }]])),
    remove: ({ file }) => rename(new Map([[file, undefined]])),
    link: ({ file, to }) => rename(new Map([[to, names.get(file)]])),
    rename: ({ file, to }) =>
      rename(
        new Map([
          [file, undefined],
          [to, names.get(file)],
        ]),
      ),
    'flush names'() {
      safeNames = new Map(names)
      namings = []
    },
    'make folder'() {
      hasFolder = true
    },
    'flush folder'() {
      isFolderSafe = hasFolder
    },
    said() {},
  }

  return {
    take: (step) => (TAKE[step.kind] as (step: Step) => void)(step),
    losePower(chance) {
      if (!hasFolder || (!isFolderSafe && chance.happens(0.5))) return undefined
      const left = new Map(safeNames)
      for (const change of REACHED[chance.weighed(FATES)](namings, chance))
        for (const [name, file] of change) {
          if (file) left.set(name, file)
          else left.delete(name)
        }
      return new Map([...left].map(([name, file]) => [name, torn(file, chance)]))
    },
  }
}

/** Returns the content of a file after a power loss. */
function torn({ flushed, changes }: File, chance: Chance): Uint8Array {
  const fate = chance.weighed(FATES)
  if (fate === 'any') return applied(flushed, anySectors(changes, chance))
  const reached = REACHED[fate](changes, chance)
  const next = changes[reached.length]
  const pieces = fate === 'torn' && next ? anySectors([next], chance) : []
  return applied(flushed, [...reached, ...pieces])
}

/**
 * Combines for each sector the writes up to a random time, independent of other sectors; the size
 * has its own time.
 */
function anySectors(changes: readonly Change[], chance: Chance): readonly Change[] {
  const until = new Map<number, number>()
  const isReached = (change: Change, index: number) => {
    const sector = change.kind === 'write' ? Math.floor(change.at / SECTOR) : -1 - index
    if (!until.has(sector))
      until.set(
        sector,
        chance.happens(0.5) ? Number.POSITIVE_INFINITY : chance.below(changes.length),
      )
    return index < (until.get(sector) ?? 0)
  }
  return changes.flatMap((change, index) =>
    sectorsOf(change).filter((sector) => isReached(sector, index)),
  )
}

/** Splits a write into its sectors, which reach the disk independently. */
function sectorsOf(change: Change): readonly Change[] {
  if (change.kind === 'resize') return [change]
  const { file, at, bytes } = change
  const sectors: Change[] = []
  for (let from = 0; from < bytes.length; ) {
    const to = Math.min(bytes.length, from + SECTOR - ((at + from) % SECTOR))
    sectors.push({ kind: 'write', file, at: at + from, bytes: bytes.subarray(from, to) })
    from = to
  }
  return sectors
}

/** Applies changes to the bytes of a file. Gaps that were not written are zeros. */
function applied(before: Uint8Array, changes: readonly Change[]): Uint8Array {
  if (changes.length === 0) return before
  const ends = changes.map((change) =>
    change.kind === 'write' ? change.at + change.bytes.length : change.size,
  )
  const room = new Uint8Array(Math.max(before.length, ...ends))
  room.set(before)
  let size = before.length
  for (const change of changes) {
    if (change.kind === 'write') {
      room.set(change.bytes, change.at)
      size = Math.max(size, change.at + change.bytes.length)
    } else {
      room.fill(0, change.size)
      size = change.size
    }
  }
  return room.subarray(0, size)
}

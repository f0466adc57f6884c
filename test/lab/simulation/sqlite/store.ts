import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { temporaryFolder } from '../../../setup/temporary.ts'
import type { Row, Store } from '../runs/data.ts'

/** Store in a file. */
interface FileStore extends Store {
  /** Records that everything that is committed now is on the disk. */
  flushed(): void
}

/**
 * Folder in memory. A real disk is not needed, because the order of the journal shows which data
 * reach the disk.
 */
const FOLDER = temporaryFolder()

export const newFolder = (): string => mkdtempSync(join(FOLDER, 'simulation-'))

/**
 * Creates a store.
 * @param template database file with empty tables
 */
export function createStore(folder: string, template: string): FileStore {
  let number = 0
  /** Number of bytes of the journal that are on the disk. */
  let safe = 0
  let looking:
    | { readonly database: DatabaseSync; readonly statements: Map<string, StatementSync> }
    | undefined
  mkdirSync(folder, { recursive: true })
  const file = () => join(folder, `store-${number}.db`)
  const journal = () => `${file()}-wal`
  copyFileSync(template, file())

  function rows(statement: string): Row[] {
    looking ??= {
      database: new DatabaseSync(file(), { readOnly: true, timeout: 0 }),
      statements: new Map(),
    }
    const { database, statements } = looking
    const prepared = statements.get(statement) ?? database.prepare(statement)
    statements.set(statement, prepared)
    return prepared.all() as unknown as Row[]
  }

  return {
    target: file,
    rows,
    version: () => `${number} ${rows('pragma data_version')[0]?.data_version}`,
    flushed() {
      // The last connection that closes the file copies the journal into it, and deletes the
      // journal.
      safe = existsSync(journal()) ? statSync(journal()).size : 0
    },
    losePower() {
      const [kept, written] = [file(), journal()]
      number += 1
      copyFileSync(kept, file())
      if (existsSync(written)) {
        copyFileSync(written, journal())
        truncateSync(journal(), Math.min(safe, statSync(written).size))
      }
      looking?.database.close()
      looking = undefined
    },
    remove() {
      looking?.database.close()
      rmSync(folder, { recursive: true })
    },
  }
}

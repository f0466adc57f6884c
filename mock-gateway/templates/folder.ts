import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { timers } from '../domain/timers.ts'
import type { Database } from '../storage/database.ts'
import type { NewTemplateRow, TemplateKind } from '../storage/tables/templates.ts'
import { EVERYBODY, replaceTemplatesOfEverybody } from '../storage/templates.ts'
import { createTemplateRow, prepareInput, SOURCE_LENGTH } from './save.ts'

/**
 * `3-summer.liquid` for a page; `4-mail.receipt.liquid` and `5-footer.partial.liquid` for other
 * kinds.
 */
const FILE = /^(?<id>[1-9]\d{0,8})-(?<name>[\w-]+)(?:\.(?<kind>receipt|partial))?\.liquid$/

/** Milliseconds between two reads of the folder. */
const READ_MS = 500

/** Templates in files, which every merchant may use. */
export interface TemplateFolder {
  /** Stops the reading. */
  close(): Promise<void>
}

/**
 * Stores the templates of a folder for all merchants, and again after each change of a file. The
 * folder is read twice per second, since not every file system reports changes.
 * @param checkTemplate receives each new or changed template, one after the other
 * @throws the file system's error if the folder cannot be read at first
 */
export async function watchTemplates(
  database: Database,
  folder: string,
  warn: (message: string) => void,
  checkTemplate: (row: NewTemplateRow) => Promise<unknown>,
): Promise<TemplateFolder> {
  let seen = ''
  let closed = false
  let checking = Promise.resolve()
  const checked = new Set<string>()
  /** The start of the gateway does not wait for this check. */
  const checkNew = async (rows: readonly NewTemplateRow[]) => {
    for (const row of rows) {
      const version = `${row.id} ${row.name} ${row.updated_at}`
      if (closed || checked.has(version)) continue
      checked.add(version)
      await checkTemplate(row)
    }
  }
  const readFolder = async () => {
    const files = await filesIn(folder)
    const now = files.map(({ file, changed }) => `${file} ${changed}`).join('\n')
    if (now === seen) return
    const rows = await Promise.all(files.map((file) => readTemplate(folder, file, warn)))
    const [kept, twice] = distinct(rows.flatMap((row) => row ?? []))
    for (const { id, name } of twice)
      warn(`${folder} has two templates with the number ${id}; the gateway ignores ${name}`)
    await database.write((queries) => replaceTemplatesOfEverybody(queries, kept))
    seen = now
    checking = checking
      .then(() => checkNew(kept))
      .catch((error: Error) =>
        warn(`The templates in ${folder} could not be checked: ${error.message}`),
      )
  }
  await readFolder()
  let reading: Promise<void> | undefined
  const timer = timers.setInterval(() => {
    reading ??= readFolder()
      .catch((error: Error) => warn(`The folder ${folder} cannot be read: ${error.message}`))
      .finally(() => {
        reading = undefined
      })
  }, READ_MS)
  timer.unref()
  return {
    async close() {
      closed = true
      timers.clearInterval(timer)
      await reading
      await checking
    },
  }
}

interface TemplateFile {
  readonly file: string
  /** Epoch milliseconds. */
  readonly changed: number
}

async function filesIn(folder: string): Promise<readonly TemplateFile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.liquid')).toSorted()
  return Promise.all(
    names.map(async (file) => ({
      file,
      changed: Math.floor((await stat(join(folder, file))).mtimeMs),
    })),
  )
}

async function readTemplate(
  folder: string,
  { file, changed }: TemplateFile,
  warn: (message: string) => void,
): Promise<NewTemplateRow | undefined> {
  const { id, name = '', kind = 'page' } = FILE.exec(file)?.groups ?? {}
  const source = await readFile(join(folder, file), 'utf8')
  if (id === undefined || source.length > SOURCE_LENGTH) {
    const reason =
      id === undefined
        ? 'it is not named like 3-summer.liquid'
        : `it is longer than ${SOURCE_LENGTH} characters`
    warn(`The gateway ignores the template ${join(folder, file)}: ${reason}`)
    return undefined
  }
  const written = await prepareInput({ name, kind: kind as TemplateKind, source })
  return createTemplateRow(EVERYBODY, Number(id), written, changed)
}

function distinct(rows: readonly NewTemplateRow[]): [NewTemplateRow[], NewTemplateRow[]] {
  const first = rows.filter((row, at) => rows.findIndex(({ id }) => id === row.id) === at)
  return [first, rows.filter((row) => !first.includes(row))]
}

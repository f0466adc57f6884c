import { mkdtemp, rm, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Database, openDatabase } from '../../../mock-gateway/storage/database.ts'
import {
  findPartials,
  findTemplate,
  listTemplates,
} from '../../../mock-gateway/storage/templates.ts'
import { type TemplateFolder, watchTemplates } from '../../../mock-gateway/templates/folder.ts'
import { saveTemplate } from '../../../mock-gateway/templates/save.ts'

let folder: string
let database: Database
let watched: TemplateFolder | undefined
const warnings: string[] = []
const checked: string[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'templates-'))
  database = await openDatabase('memory')
  warnings.length = 0
  checked.length = 0
})
afterEach(async () => {
  await watched?.close()
  watched = undefined
  await database.close()
  await rm(folder, { recursive: true })
})

const watch = async () => {
  watched = await watchTemplates(
    database,
    folder,
    (message) => warnings.push(message),
    async ({ id, source }) => checked.push(`${id} ${source}`),
  )
}
const write = (file: string, source: string) => writeFile(join(folder, file), source)
const named = async () =>
  (await listTemplates(database.db, 7)).map(({ id, name, kind }) => `${id} ${name} ${kind}`)

test('the name of a file makes it a template, for every merchant', async () => {
  await write('3-summer.liquid', 'a')
  await write('4-mail.receipt.liquid', 'b')
  await write('10-foot_er.partial.liquid', 'c')
  await write('README.md', 'd')
  await watch()
  expect(await named()).toEqual(['3 summer page', '4 mail receipt', '10 foot_er partial'])
  expect((await findPartials(database.db, 7)).map(({ source }) => source)).toEqual(['c'])
  expect(warnings).toEqual([])
})

test('files that are not templates are left out, with a reason in the log', async () => {
  await write('summer.liquid', 'a')
  await write('3-a.liquid', 'x'.repeat(65_537))
  await write('4-a.liquid', 'a')
  await write('4-b.liquid', 'b')
  await watch()
  expect(await named()).toEqual(['4 a page'])
  for (const reason of ['longer than 65536', 'not named like', 'two templates with the number 4'])
    expect(warnings.join()).toContain(reason)
})

test('a changed file is read again', async () => {
  await write('3-summer.liquid', 'a')
  await watch()
  await write('3-summer.liquid', 'another')
  await write('4-winter.liquid', 'b')
  await expect.poll(async () => (await findTemplate(database.db, 7, 3))?.source).toBe('another')
  await unlink(join(folder, '3-summer.liquid'))
  await expect.poll(named).toEqual(['4 winter page'])
})

test('a folder that cannot be read is rejected', async () => {
  await expect(watchTemplates(database, join(folder, 'none'), vi.fn(), vi.fn())).rejects.toThrow(
    'ENOENT',
  )
})

test('a merchant’s own templates belong to it alone, and a file takes precedence', async () => {
  const written = { name: 'mine', kind: 'page', source: 'mine', prepared: 'mine' } as const
  expect((await saveTemplate(database.db, 7, undefined, written, 1)).id).toBe(1)
  await saveTemplate(database.db, 7, 3, written, 1)
  expect((await saveTemplate(database.db, 7, undefined, written, 1)).id).toBe(4)
  expect(await findTemplate(database.db, 8, 1)).toBeUndefined()
  await write('3-summer.liquid', 'file')
  await watch()
  expect((await findTemplate(database.db, 7, 3))?.source).toBe('file')
  expect((await findTemplate(database.db, 7, 1))?.source).toBe('mine')
})

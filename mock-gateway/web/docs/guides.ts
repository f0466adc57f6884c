import { readdir, readFile } from 'node:fs/promises'
import type { DocPage } from './pages.ts'

/** Guides that come first in the menu, in reading order. */
const FIRST = ['gateway', 'api', 'test-cards', 'webhooks', 'library', 'control', 'console', 'templates', 'recipes']

/** Reads the guides of `docs/`. The folders below it, such as `docs/inside/`, are for the project only. */
export async function readGuides(folder: string): Promise<DocPage[]> {
  const files = await readdir(folder).catch(() => [])
  const names = files.flatMap((file) => (/^[a-z][\w-]*\.md$/.test(file) ? [file.slice(0, -3)] : []))
  const shown = names.toSorted()
  const ordered = [...FIRST.filter((name) => shown.includes(name)), ...shown.filter((name) => !FIRST.includes(name))]
  return Promise.all(
    ordered.map(async (name) => {
      const markdown = (await readFile(`${folder}${name}.md`, 'utf8')).replaceAll('\r\n', '\n')
      return { path: name, title: /^# (.*)$/m.exec(markdown)?.[1] ?? name, group: 'Guides', markdown }
    }),
  )
}

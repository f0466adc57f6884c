import { readdir, readFile } from 'node:fs/promises'
import type { DocPage } from './pages.ts'

/** Documents for who works on the project; no package has them, and nobody else is shown them. */
export const OF_THE_PROJECT: ReadonlySet<string> = new Set([
  'architecture',
  'decisions',
  'dependencies',
  'mutants',
  'proof',
  'sources',
  'specification',
])

/** Those that come first, in the order in which somebody new reads them. */
const FIRST = ['gateway', 'api', 'test-cards', 'webhooks', 'library', 'control', 'console', 'templates', 'recipes']

/** The guides: the same files that stand in the repository and are tested there. @param folder where they are */
export async function readGuides(folder: string): Promise<DocPage[]> {
  const files = await readdir(folder).catch(() => [])
  const names = files.flatMap((file) => (/^[a-z][\w-]*\.md$/.test(file) ? [file.slice(0, -3)] : []))
  const shown = names.filter((name) => !OF_THE_PROJECT.has(name)).toSorted()
  const ordered = [...FIRST.filter((name) => shown.includes(name)), ...shown.filter((name) => !FIRST.includes(name))]
  return Promise.all(
    ordered.map(async (name) => {
      const markdown = (await readFile(`${folder}${name}.md`, 'utf8')).replaceAll('\r\n', '\n')
      return { path: name, title: /^# (.*)$/m.exec(markdown)?.[1] ?? name, group: 'Guides', markdown }
    }),
  )
}

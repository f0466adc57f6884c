import { readdir, readFile } from 'node:fs/promises'
import type { Addresses } from '../../domain/addresses.ts'
import type { DocPage } from './pages.ts'

/** Guides that come first in the menu, in reading order. */
const FIRST = ['gateway', 'api', 'test-cards', 'webhooks', 'library', 'control', 'console', 'templates', 'recipes']

/**
 * Reads the guides of `docs/`, with the addresses of this gateway. The folders below it, such as `docs/inside/`, are for
 * the project only.
 */
export async function readGuides(folder: string, addresses: Addresses): Promise<DocPage[]> {
  const files = await readdir(folder).catch(() => [])
  const names = files.flatMap((file) => (/^[a-z][\w-]*\.md$/.test(file) ? [file.slice(0, -3)] : []))
  const shown = names.toSorted()
  const ordered = [...FIRST.filter((name) => shown.includes(name)), ...shown.filter((name) => !FIRST.includes(name))]
  return Promise.all(
    ordered.map(async (name) => {
      const text = (await readFile(`${folder}${name}.md`, 'utf8')).replaceAll('\r\n', '\n')
      const markdown = withOwnAddresses(text, addresses)
      return { path: name, title: /^# (.*)$/m.exec(markdown)?.[1] ?? name, group: 'Guides', markdown }
    }),
  )
}

/** Replaces the default address, which the guides are written with, by the address of the role that serves the path. */
const withOwnAddresses = (markdown: string, { base, pay, cdn }: Addresses): string =>
  markdown
    .replaceAll(/http:\/\/localhost:4400(?=\/v1\/(?:form|mpi_js|acs)\b)/g, () => pay)
    .replaceAll(/http:\/\/localhost:4400(?=\/v2\/mondido\b)/g, () => cdn)
    .replaceAll('http://localhost:4400', () => base)

import { readdir, readFile } from 'node:fs/promises'
import { posix } from 'node:path'
import type { Addresses } from '../../domain/addresses.ts'
import type { DocPage } from './pages.ts'

/** Folders of `docs/` that are shown. Other folders are for the project only. */
const FOLDERS = ['start/', 'how-to/', 'reference/', '', 'explanation/']

/** Heading of `docs/index.md` above the guides that few readers need. */
export const MORE = 'More'

/** Addresses that guides had before version 2.0.0 was complete, and their addresses now. */
export const MOVED_GUIDES: ReadonlyMap<string, string> = new Map([
  ['api', 'reference/api'],
  ['check-my-shop', 'how-to/check-my-shop'],
  ['client', 'reference/client'],
  ['command', 'reference/command'],
  ['console', 'reference/console'],
  ['control', 'reference/control'],
  ['deploying', 'how-to/share-with-a-team'],
  ['gateway', 'reference/settings'],
  ['library', 'reference/library'],
  ['problems', 'how-to/problems'],
  ['recipes', 'how-to/connect-a-shop'],
  ['shops', 'how-to/plug-ins'],
  ['templates', 'reference/templates'],
  ['test-cards', 'reference/test-cards'],
  ['testing', 'reference/test-kit'],
  ['webhooks', 'reference/webhooks'],
])

/**
 * Reads the guides of `docs/`, with the addresses of this gateway, in the order and groups in which
 * `index.md` links to them.
 */
export async function readGuides(root: string, addresses: Addresses): Promise<DocPage[]> {
  const paths = await Promise.all(
    FOLDERS.map(async (folder) => {
      const files = await readdir(root + folder).catch(() => [])
      return files.flatMap((file) =>
        /^[a-z][\w-]*\.md$/.test(file) ? [`${folder}${file.slice(0, -3)}`] : [],
      )
    }),
  )
  const guides: DocPage[] = []
  // One file at a time: reading all files in parallel needs many descriptors, and a gateway with
  // many clients has few.
  for (const path of paths.flat()) {
    const text = (await readFile(`${root}${path}.md`, 'utf8')).replaceAll('\r\n', '\n')
    const folder = posix.join(posix.dirname(path), '/').replace('./', '')
    const markdown = withRootLinks(withOwnAddresses(text, addresses), folder)
    const title = /^# (.*)$/m.exec(markdown)?.[1] ?? path
    guides.push({ path, title, group: MORE, markdown })
  }
  const index = guides.find(({ path }) => path === 'index')?.markdown ?? ''
  const place = (path: string) => {
    const at = index.indexOf(`](${path}.md`)
    return at < 0 ? index.length : at
  }
  const groupOf = (path: string) =>
    [...index.slice(0, place(path)).matchAll(/^## (.*)$/gm)].at(-1)?.[1] ?? MORE
  return guides
    .map((guide) => ({ ...guide, group: groupOf(guide.path) }))
    .toSorted(
      (one, other) => place(one.path) - place(other.path) || (one.path < other.path ? -1 : 1),
    )
}

/** Rewrites relative links, so that they start at the folder of all guides. Other links stay. */
const withRootLinks = (markdown: string, folder: string): string =>
  markdown.replace(
    /\]\((?!https?:|mailto:|[#/])([^()\s]+)\)/g,
    (_link, target: string) => `](${posix.join(folder, target)})`,
  )

/**
 * Replaces the default address, which guides and contracts are written with, by the address of the
 * role that serves the path.
 */
export const withOwnAddresses = (markdown: string, { base, pay, cdn }: Addresses): string =>
  markdown
    .replaceAll(/http:\/\/localhost:4400(?=\/v1\/(?:form|mpi_js|acs)\b)/g, () => pay)
    .replaceAll(/http:\/\/localhost:4400(?=\/v2\/mondido\b)/g, () => cdn)
    .replaceAll('http://localhost:4400', () => base)

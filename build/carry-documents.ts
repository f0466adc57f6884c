import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'

const LINK = /(?<!!)\[([^\]]*)\]\(([^)\s]+)\)/g

/** Turns each link to a page that is not among `names` into plain text. Addresses and anchors stay. */
export function unlinkMissing(markdown: string, names: ReadonlySet<string>): string {
  return markdown.replace(LINK, (link: string, text: string, target: string) => {
    const isKept = /^(https?:|#)/.test(target) || names.has(basename(target.replace(/#.*/, '')))
    return isKept ? link : text
  })
}

/**
 * Plugin that copies documents into the folder of a package before its build, because npm packs no file from outside.
 * @param folder of the package: mock-gateway or sdk
 * @param patterns of the documents; each keeps its path
 */
export const carryDocuments = (folder: string, patterns: readonly string[]) => ({
  name: 'carry-documents',
  buildStart() {
    const paths = globSync([...patterns])
    const names = new Set(paths.map((path) => basename(path)))
    rmSync(`${folder}/docs`, { recursive: true, force: true })
    mkdirSync(`${folder}/docs`, { recursive: true })
    for (const path of paths) {
      if (!path.endsWith('.md')) copyFileSync(path, `${folder}/${path}`)
      else writeFileSync(`${folder}/${path}`, unlinkMissing(readFileSync(path, 'utf8'), names))
    }
  },
})

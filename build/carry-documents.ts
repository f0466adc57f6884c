import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, posix } from 'node:path'

const LINK = /(?<!!)\[([^\]]*)\]\(([^)\s]+)\)/g

/**
 * Turns each link to a file that is not among `paths` into plain text. Addresses and anchors stay.
 * @param path of the document
 */
export function unlinkMissing(markdown: string, path: string, paths: ReadonlySet<string>): string {
  return markdown.replace(LINK, (link: string, text: string, target: string) => {
    const isKept =
      /^(https?:|#)/.test(target) ||
      paths.has(posix.join(posix.dirname(path), target.replace(/#.*/, '')))
    return isKept ? link : text
  })
}

/**
 * Plugin that copies documents into the folder of a package before its build, because npm packs no
 * file from outside.
 * @param folder of the package: mock-gateway or sdk
 * @param patterns of the documents; each keeps its path
 */
export const carryDocuments = (folder: string, patterns: readonly string[]) => ({
  name: 'carry-documents',
  buildStart() {
    const paths = globSync([...patterns]).map((path) => path.replaceAll('\\', '/'))
    const all = new Set(paths)
    rmSync(`${folder}/docs`, { recursive: true, force: true })
    for (const path of paths) {
      mkdirSync(dirname(`${folder}/${path}`), { recursive: true })
      if (!path.endsWith('.md')) copyFileSync(path, `${folder}/${path}`)
      else writeFileSync(`${folder}/${path}`, unlinkMissing(readFileSync(path, 'utf8'), path, all))
    }
  },
})

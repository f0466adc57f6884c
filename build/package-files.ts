/**
 * Writes what the packages contain besides their builds. npm packs no file from outside a package's
 * folder, so the documents, and the library that the gateway serves, are copies. `npm run packages`
 * and each package's `prepack` run it after `npm run build`.
 */
import { createHash } from 'node:crypto'
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, posix } from 'node:path'
import library from '../sdk/package.json' with { type: 'json' }

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

/** Copies documents into the folder of a package. Each keeps its path. */
function copyDocuments(folder: string, patterns: readonly string[]): void {
  rmSync(`${folder}/docs`, { recursive: true, force: true })
  const paths = globSync(patterns).map((path) => path.replaceAll('\\', '/'))
  for (const path of paths) {
    mkdirSync(dirname(`${folder}/${path}`), { recursive: true })
    const text = readFileSync(path, 'utf8')
    writeFileSync(`${folder}/${path}`, unlinkMissing(text, path, new Set(paths)))
  }
}

/** Files of the library that browsers load from the gateway. */
const SERVED = ['mondido-advice.js', 'mondido.min.js']

const calculateIntegrity = (file: string) =>
  `sha384-${createHash('sha384').update(readFileSync(file)).digest('base64')}`

if (import.meta.main) {
  copyDocuments('sdk', ['LICENSE', 'docs/reference/library{,-messages}.md'])
  copyDocuments('mock-gateway', [
    'LICENSE',
    'CHANGELOG.md',
    'SECURITY.md',
    'docs/{*,{start,how-to,reference,explanation}/*}.md',
  ])
  for (const file of SERVED) cpSync(`sdk/dist/${file}`, `mock-gateway/dist/library/${file}`)
  // The types for require() are those for import.
  cpSync('sdk/index.d.cts', 'sdk/dist/types/index.d.cts')
  // Scripts for require(), in a package whose other scripts are modules.
  writeFileSync('sdk/dist/umd/package.json', '{ "type": "commonjs" }\n')
  // Values of the attribute `integrity`, for shops that serve the library themselves.
  const files = Object.fromEntries(
    SERVED.map((file) => [file, calculateIntegrity(`sdk/dist/${file}`)]),
  )
  writeFileSync(
    'sdk/dist/integrity.json',
    `${JSON.stringify({ version: library.version, files }, null, 2)}\n`,
  )
}

import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** Hashes for the attribute `integrity`, by the name of each file. */
interface Manifest {
  readonly version: string
  readonly files: Readonly<Record<string, string>>
}

const readManifest = (path: string, version: string): Manifest => {
  try {
    const manifest: Manifest = JSON.parse(readFileSync(path, 'utf8'))
    if (manifest.version === version) return manifest
  } catch {}
  return { version, files: {} }
}

/**
 * Plugin that adds the hash of each written file to `integrity.json` in its folder. @param version
 * of the package
 */
export const integrityManifest = (version: string) => ({
  name: 'integrity-manifest',
  writeBundle({ file = '' }: { file?: string }) {
    const path = join(dirname(file), 'integrity.json')
    const { files } = readManifest(path, version)
    const hash = `sha384-${createHash('sha384').update(readFileSync(file)).digest('base64')}`
    const all = Object.entries({ ...files, [basename(file)]: hash }).sort(([one], [other]) =>
      one < other ? -1 : 1,
    )
    writeFileSync(path, `${JSON.stringify({ version, files: Object.fromEntries(all) }, null, 2)}\n`)
  },
})

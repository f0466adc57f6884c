/**
 * Run by npm whenever it has changed `node_modules`, on whatever Node it has itself: puts the
 * binary of this platform where npm scripts look first, and takes away what comes along and nobody
 * reads. npm 11 has linked it already; npm 9 and 10 take the link away again together with the
 * packages of the other platforms.
 */
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'

const { optionalDependencies } = JSON.parse(
  readFileSync(new URL('package.json', import.meta.url), 'utf8'),
)
const binary = Object.keys(optionalDependencies)
  .flatMap((name) => ['node', 'node.exe'].map((file) => join('node_modules', name, 'bin', file)))
  .find(existsSync)

/**
 * Headers, for compiling against Node, 67 MB; and recheck in Java, 23 MB, which its native program
 * makes needless.
 */
const UNREAD = [
  ...Object.keys(optionalDependencies).map((name) => join(name, 'include')),
  'recheck-jar',
]
for (const path of UNREAD) rmSync(join('node_modules', path), { recursive: true, force: true })

if (binary === undefined) {
  const { platform, arch, version } = process
  process.stderr.write(
    `No Node for ${platform} ${arch} came along; npm scripts run on your own, ${version}.\n`,
  )
} else {
  const link = join('node_modules', '.bin', basename(binary))
  mkdirSync(join('node_modules', '.bin'), { recursive: true })
  rmSync(link, { force: true })
  linkSync(binary, link)
}

/**
 * Run by npm whenever it has changed `node_modules`, on whatever Node it has itself: puts the binary of this platform
 * where npm scripts look first. npm 11 has done so already; npm 9 and 10 take the link away again together with the
 * packages of the other platforms.
 */
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'

const { optionalDependencies } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'))
const binary = Object.keys(optionalDependencies)
  .flatMap((name) => ['node', 'node.exe'].map((file) => join('node_modules', name, 'bin', file)))
  .find(existsSync)

if (binary === undefined) {
  process.stderr.write(`No Node for ${process.platform} ${process.arch} came along; npm scripts run on your own.\n`)
} else {
  const link = join('node_modules', '.bin', basename(binary))
  mkdirSync(join('node_modules', '.bin'), { recursive: true })
  rmSync(link, { force: true })
  linkSync(binary, link)
}

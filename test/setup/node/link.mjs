/**
 * Script that npm runs after each change of `node_modules`, on npm's own Node. It links the binary
 * of this platform to the place where npm scripts look first, deletes unused files of packages, and
 * writes the generated sources.
 * npm 11 has linked the binary already; npm 9 and 10 delete the link again together with the
 * packages for other platforms.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'

const { optionalDependencies } = JSON.parse(
  readFileSync(new URL('package.json', import.meta.url), 'utf8'),
)
const binary = Object.keys(optionalDependencies)
  .flatMap((name) => ['node', 'node.exe'].map((file) => join('node_modules', name, 'bin', file)))
  .find(existsSync)

// Headers for compiling against Node (67 MB), which nothing uses.
for (const name of Object.keys(optionalDependencies))
  rmSync(join('node_modules', name, 'include'), { recursive: true, force: true })

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

const node = binary ?? process.execPath
process.exitCode = spawnSync(node, ['build/contract-types.ts'], { stdio: 'inherit' }).status ?? 1

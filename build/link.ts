/** Installs both packages of this clone, packed, in a project: `npm run link -- ../my-shop`. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import gateway from '../mock-gateway/package.json' with { type: 'json' }
import library from '../sdk/package.json' with { type: 'json' }

const root = join(import.meta.dirname, '..')

/**
 * Installs the packed packages. They stay when the project runs `npm install`.
 * @param folder of the project
 * @param packed folder of the packed packages
 * @param agent npm's description of itself, which names the user's Node
 * @returns what was done
 * @throws Error with the reason and what to do
 */
export function link(folder: string, packed: string, agent = ''): string[] {
  if (!existsSync(join(folder, 'package.json')))
    throw new Error(`${folder} has no package.json. Run npm init -y there first.`)
  // npm sets it to the folder of its own project, and would install there.
  const { npm_config_local_prefix: _, ...env } = process.env
  for (const [flag, { name, version }] of [
    ['--save', library] as const,
    ['--save-dev', gateway] as const,
  ]) {
    const file = join(packed, `${name}-${version}.tgz`)
    const flags = ['install', flag, file, '--no-audit', '--no-fund', '--loglevel=error']
    // npm is a command file on Windows, which only a shell can start.
    const shell = process.platform === 'win32'
    const { status, stderr } = spawnSync('npm', flags, {
      cwd: folder,
      env,
      shell,
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`npm could not install ${file} in ${folder}:\n${stderr}`)
  }
  const [, node = ''] = /\bnode\/v(\d+)/.exec(agent) ?? []
  const needed = gateway.engines.node.replace('>=', '')
  return [
    `Installed ${library.name} as a dependency and ${gateway.name} as a development dependency of ${folder}.`,
    node && Number(node) < Number.parseInt(needed, 10)
      ? `To run the gateway, ${folder} needs Node ${needed} or newer, and your Node is ${node}. Get one with: npm install -D node@24`
      : 'Start the gateway there: npx mondido-gateway',
    `After changes in this clone, run it again: npm run link -- ${relative(root, folder) || '.'}`,
  ]
}

if (import.meta.main) {
  const [folder] = process.argv.slice(2)
  try {
    if (!folder) throw new Error('Name the folder of your project: npm run link -- ../my-shop')
    const { INIT_CWD = '.', npm_config_user_agent } = process.env
    process.stdout.write(
      `${link(resolve(INIT_CWD, folder), root, npm_config_user_agent).join('\n')}\n`,
    )
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`)
    process.exitCode = 1
  }
}

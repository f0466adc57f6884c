import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type RunningGateway, runGateway } from '../../../mock-gateway/cli.ts'

let home: string
let data: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'at-rest-'))
  data = join(home, 'data')
})
afterEach(() => rm(home, { recursive: true }))

const run = (flags: readonly string[] = [], env = {}): Promise<RunningGateway> =>
  runGateway(['--data', data, '--port', '0', ...flags], { LOG_LEVEL: 'silent', ...env }, () => {})
const mode = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)

describe('what others on the machine may do', () => {
  async function modes() {
    const gateway = await run()
    const files = (await readdir(data)).filter((name) => name.startsWith('gateway.db'))
    const seen = await Promise.all(files.map((name) => mode(join(data, name))))
    await gateway.close()
    return { folder: await mode(data), files: [...new Set(seen)], count: files.length }
  }

  test('nothing in a new data folder', async () => {
    expect(await modes()).toEqual({ folder: '700', files: ['600'], count: 3 })
  })

  test('nothing any more in one that was open before', async () => {
    await modes()
    for (const [path, open] of [
      [data, 0o755],
      [join(data, 'gateway.db'), 0o644],
    ] as const)
      await chmod(path, open)
    expect(await modes()).toEqual({ folder: '700', files: ['600'], count: 3 })
  })

  test('in a folder that was there for something else all as before, but with the gateway’s files', async () => {
    await mkdir(data, { mode: 0o755 })
    await writeFile(join(data, 'README.md'), 'A shop')
    expect(await modes()).toMatchObject({ folder: '755', files: ['600'] })
  })
})

import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningGateway, runGateway } from '../../../../mock-gateway/cli.ts'
import { LANGUAGES } from '../../../../mock-gateway/web/pages/call-samples.ts'
import { isHere, programEnv } from '../../../helpers/program.ts'

/**
 * Programs that run the samples of each language, if they are installed. `after` is code that
 * prints the answer in the sample's variable.
 */
const PROGRAMS: Readonly<
  Record<string, { program: string; file: string; before?: string; after?: string }>
> = {
  PHP: {
    program: 'php',
    file: 'call.php',
    before: '<?php ',
    after: '\necho json_encode($answer);',
  },
  JavaScript: { program: process.execPath, file: 'call.mjs' },
  Ruby: { program: 'ruby', file: 'call.rb' },
  Python: { program: 'python3', file: 'call.py' },
}

let gateway: RunningGateway
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'samples-'))
  gateway = await runGateway(['--memory', '--port', '0'], { LOG_LEVEL: 'silent' }, () => {})
})
afterAll(async () => {
  await gateway.close()
  await rm(folder, { recursive: true })
})

test('the samples of calls are in PHP, JavaScript, Ruby, Python and C#', () =>
  expect(LANGUAGES.map(({ name }) => name)).toEqual(['PHP', 'JavaScript', 'Ruby', 'Python', 'C#']))

describe.each(LANGUAGES.filter(({ name }) => isHere(PROGRAMS[name]?.program ?? 'dotnet')))(
  'a sample in $name',
  (language) => {
    const {
      program,
      file,
      before = '',
      after = '',
    } = PROGRAMS[language.name] ?? { program: 'dotnet', file: 'call.cs' }
    const login = { user: '1', password: 'custom00' }

    async function run(call: {
      method: string
      path: string
      fields: Readonly<Record<string, string>>
    }) {
      const { method, path, fields } = call
      const code = language.write({ method, url: gateway.url + path, login, fields })
      await writeFile(join(folder, file), before + code + after)
      return promisify(execFile)(program, [join(folder, file)], { env: programEnv() })
    }

    test('creates an object with the values that it sends', async () => {
      const name = `"Kim's" #{1 + 1} \\ café`
      await run({
        method: 'POST',
        path: '/v1/customers',
        fields: { ref: language.name, 'metadata[name]': name },
      })
      const headers = { authorization: `Basic ${btoa('1:custom00')}` }
      const customers = await (
        await fetch(`${gateway.url}/v1/customers?filter[ref]=${language.name}`, { headers })
      ).json()
      expect(customers).toMatchObject([{ ref: language.name, metadata: { name } }])
    })

    test('reads a list', async () => {
      const { stdout } = await run({ method: 'GET', path: '/v1/customers?limit=3', fields: {} })
      expect(stdout).toContain(language.name)
    })
  },
)

import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { runGateway } from '../../../../mock-gateway/cli.ts'
import { writeSnippets } from '../../../../mock-gateway/web/console/requests/snippets.ts'
import { LANGUAGES } from '../../../../mock-gateway/web/pages/call-samples.ts'
import { isHere, programEnv } from '../../../helpers/program.ts'
import { share, sharedFolder } from '../../../helpers/shared.ts'

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

const folder = await sharedFolder()
const gateway = await share(
  runGateway(['--memory', '--port', '0'], { LOG_LEVEL: 'silent' }, () => {}),
)

/** Texts that end a literal, a comment or a program in some language. */
const HOSTILE = [
  `"Kim's"`,
  '#{1 + 1} $' + '{1 + 1} $HOME `id`',
  '\\ \\u{41} café 🦊',
  '?><?php exit(9); ?>',
  '*/ // -- <!-- </script>',
  'a\r\nb\n__END__\n',
  '\u2028\u2029\u0085\u202e',
]

/** One hostile text between quotes: no line of any program begins or ends in it. */
test.each([...LANGUAGES.map(({ name }) => name), 'curl'])(
  'a program in %s has only the lines of its language, and no character that is hidden',
  (language) => {
    const lines = (value: string) => {
      const fields = [[value, value]] as const
      const call = { method: 'POST', url: `http://localhost/${value}`, fields, merchantId: 1 }
      return writeSnippets(call).find((each) => each.language === language)?.text ?? ''
    }
    const text = lines(HOSTILE.join(''))
    expect(text.split('\n')).toHaveLength(lines('a-b').split('\n').length)
    expect(text).not.toMatch(/[^\P{C}\n]|[\u2028\u2029]|\?>/u)
  },
)

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
      const name = HOSTILE.join(' ')
      const plain = HOSTILE.slice(0, 3).join(' ')
      await run({
        method: 'POST',
        path: '/v1/customers',
        fields: { ref: language.name, 'metadata[name]': name, 'metadata[plain]': plain },
      })
      const headers = { authorization: `Basic ${btoa('1:custom00')}` }
      const customers = await (
        await fetch(`${gateway.url}/v1/customers?filter[ref]=${language.name}`, { headers })
      ).json()
      expect(customers).toMatchObject([{ ref: language.name, metadata: { name, plain } }])
    })

    test('reads a list', async () => {
      const { stdout } = await run({ method: 'GET', path: '/v1/customers?limit=3', fields: {} })
      expect(stdout).toContain(language.name)
    })
  },
)

import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { completion } from '../../../mock-gateway/cli/completion.ts'
import { settingsList } from '../../../mock-gateway/cli/settings-table.ts'

async function scriptOf(shell: string): Promise<string> {
  let script = ''
  await completion([shell], (text) => {
    script = text
  })
  return script
}

/** What bash offers for the last of these words. */
async function offered(...words: string[]): Promise<string[]> {
  const line = `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _mondido_gateway`
  const script = `${await scriptOf('bash')}\n${line}\nprintf '%s\\n' "\${COMPREPLY[@]}"`
  return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim().split('\n')
}

test.each([
  [
    ['mondido-gateway', '--webhook-'],
    ['--webhook-ca', '--webhook-addresses', '--webhook-retry-on'],
  ],
  [['mondido-gateway', '--log-level', 'w'], ['warn']],
  [['mondido-gateway', 'ex'], ['exec']],
  [['mondido-gateway', '--merchants', 'package.j'], ['package.json']],
])('bash completes %j', async (words, expected) => expect(await offered(...words)).toEqual(expected))

test.each(['bash', 'zsh', 'fish'])('%s is told of every setting', async (shell) => {
  const script = await scriptOf(shell)
  for (const { name } of settingsList) expect(script).toMatch(new RegExp(`(--|-l )${name}\\b`))
})

test('another shell is refused with those there are', async () => {
  await expect(scriptOf('ksh')).rejects.toThrow('completion needs the name of a shell: bash, zsh, fish.')
})

import { mkdir, mkdtemp, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { runVerb } from '../../../mock-gateway/cli/verbs/run.ts'
import { runGatewayIn } from '../../helpers/program.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agent-'))
  onTestFinished(() => rm(folder, { recursive: true }))
})

const runAgent = async (status = 0) => {
  vi.spyOn(process, 'cwd').mockReturnValue(folder)
  const printed: string[] = []
  const running = runVerb('agent', [], {}, (text) => printed.push(text))
  expect(await running.finally(() => vi.restoreAllMocks())).toBe(status)
  return `${printed.join('\n')}\n`
}
const textOf = (path: string) => readFile(join(folder, path), 'utf8')
const jsonOf = async (path: string) => JSON.parse(await textOf(path))

async function write(path: string, text: string) {
  await mkdir(dirname(join(folder, path)), { recursive: true })
  await writeFile(join(folder, path), text)
}

const SERVER = { command: 'npx', args: ['mondido-gateway', 'mcp'] }
const SKILL = '.claude/skills/mondido-gateway/SKILL.md'

test('agent writes the files for the usual assistants into an empty folder', async () => {
  expect(await runGatewayIn(folder, ['agent'])).toBe(
    `.mcp.json: written\n.cursor/mcp.json: written\n.vscode/mcp.json: written\n${SKILL}: written\nAGENTS.md: written\n`,
  )
  const list = { mcpServers: { 'mondido-gateway': SERVER } }
  expect(await jsonOf('.mcp.json')).toEqual(list)
  expect(await jsonOf('.cursor/mcp.json')).toEqual(list)
  expect(await jsonOf('.vscode/mcp.json')).toEqual({
    servers: { 'mondido-gateway': { type: 'stdio', ...SERVER } },
  })
  expect(await textOf('AGENTS.md')).toContain(SKILL)
})

test('agent extends existing files, and a second run changes nothing', async () => {
  const other = { mcpServers: { other: { command: 'other' } }, more: 1 }
  await write('.mcp.json', JSON.stringify(other))
  expect(await runAgent()).toContain('.mcp.json: extended')
  expect(await jsonOf('.mcp.json')).toEqual({
    ...other,
    mcpServers: { ...other.mcpServers, 'mondido-gateway': SERVER },
  })
  const before = await textOf('.mcp.json')
  const lines = (await runAgent()).trim().split('\n')
  expect(lines).toHaveLength(5)
  expect(lines.filter((line) => !line.endsWith(': is complete'))).toEqual([])
  expect(await textOf('.mcp.json')).toBe(before)
})

test.each([
  ['.vscode/mcp.json', '// servers\n{ "servers": {} }', 'add to "servers": {"mondido-gateway":'],
  ['.mcp.json', '{ "mcpServers": [] }', 'add to "mcpServers": {"mondido-gateway":'],
  [SKILL, 'My own skill', 'add the changes of '],
  ['AGENTS.md', 'Be kind.', 'add the line: For card payments, read '],
])('agent leaves %s unchanged, and prints the text to add', async (path, text, add) => {
  await write(path, text)
  expect(await runAgent()).toContain(`${path}: ${add}`)
  expect(await textOf(path)).toBe(text)
})

test('agent leaves a folder and a link that leads to nothing as they are, and exits with status 1', async () => {
  await mkdir(join(folder, '.mcp.json'))
  await symlink('elsewhere.md', join(folder, 'AGENTS.md'))
  const printed = await runAgent(1)
  expect(printed).toContain('.mcp.json: not written, because it is a folder\n')
  expect(printed).toContain('AGENTS.md: not written, because a file with this name exists\n')
  expect(printed).toContain('.vscode/mcp.json: written\n')
  expect(await readlink(join(folder, 'AGENTS.md'))).toBe('elsewhere.md')
  await expect(textOf('elsewhere.md')).rejects.toThrow('ENOENT')
})

import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isObject, type JsonObject, type JsonValue, parseExactly } from '../../domain/json.ts'
import { findReason } from '../start-error.ts'
import type { RunVerb } from './verb.ts'

const COMMAND = { command: 'npx', args: ['mondido-gateway', 'mcp'] }
const NAME = 'mondido-gateway'

/** Configuration files for MCP servers: each assistant has its own name for the list. */
const MCP_FILES = [
  { path: '.mcp.json', list: 'mcpServers', server: COMMAND },
  { path: '.cursor/mcp.json', list: 'mcpServers', server: COMMAND },
  { path: '.vscode/mcp.json', list: 'servers', server: { type: 'stdio', ...COMMAND } },
]

const SKILL_PATH = `.claude/skills/${NAME}/SKILL.md`

const INSTRUCTIONS = `For card payments, read ${SKILL_PATH} first.`

/** Content of a file that does not exist yet or is changed; or the text that the user must add. */
type Proposal = { readonly content: string } | { readonly add: string } | 'complete'

/**
 * Runs `mondido-gateway agent`, which needs no running gateway, and never replaces the content of a
 * file.
 */
export const run: RunVerb = async (_given, { show }) => {
  const folder = process.cwd()
  const results: { path: string; result: string }[] = []
  const propose = async (path: string, proposal: (text: string | undefined) => Proposal) => {
    const file = join(folder, path)
    try {
      const text = await readIfThere(file)
      const proposed = proposal(text)
      if (proposed === 'complete') return results.push({ path, result: 'is complete' })
      if ('add' in proposed) return results.push({ path, result: `add ${proposed.add}` })
      await mkdir(dirname(file), { recursive: true })
      // `wx` also fails at a link that leads to nothing.
      await writeFile(file, proposed.content, { flag: text === undefined ? 'wx' : 'w' })
      return results.push({ path, result: text === undefined ? 'written' : 'extended' })
    } catch (error) {
      return results.push({ path, result: `${NOT_WRITTEN}${findReason(error)}` })
    }
  }
  for (const { path, list, server } of MCP_FILES)
    await propose(path, (text) => withServer(text, list, server))
  const skill = await readSkill(join(folder, dirname(SKILL_PATH)))
  await propose(SKILL_PATH, (text) => {
    if (text === undefined) return { content: skill }
    return text === skill ? 'complete' : { add: `the changes of ${packaged('SKILL.md')}` }
  })
  await propose('AGENTS.md', (text) => {
    if (text === undefined) return { content: `${INSTRUCTIONS}\n` }
    return text.includes(SKILL_PATH) ? 'complete' : { add: `the line: ${INSTRUCTIONS}` }
  })
  show(
    results,
    results.map(({ path, result }) => `${path}: ${result}`),
  )
  return results.some(({ result }) => result.startsWith(NOT_WRITTEN)) ? 1 : 0
}

const NOT_WRITTEN = 'not written, because '

/** @returns undefined if the file does not exist */
const readIfThere = (file: string): Promise<string | undefined> =>
  readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })

/** Adds the server to the list of an MCP configuration, and keeps everything else. */
function withServer(text: string | undefined, list: string, server: object): Proposal {
  const config = parseObject(text ?? '{}')
  const servers = config?.[list] ?? {}
  if (!config || !isObject(servers))
    return { add: `to "${list}": ${JSON.stringify({ [NAME]: server })}` }
  if (NAME in servers) return 'complete'
  const extended = { ...config, [list]: { ...servers, [NAME]: server } }
  return { content: `${JSON.stringify(extended, null, 2)}\n` }
}

/**
 * Parses JSON; undefined if this fails, for example because of comments in an editor's
 * configuration.
 */
function parseObject(text: string): JsonObject | undefined {
  try {
    const value: JsonValue = parseExactly(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Returns the skill, with paths from its new folder to the guides in the package. */
async function readSkill(folder: string): Promise<string> {
  const docs = relative(folder, packaged('docs')).split(sep).join('/')
  const skill = await readFile(packaged('SKILL.md'), 'utf8')
  return skill.replaceAll('`docs/', `\`${docs}/`)
}

const packaged = (path: string): string =>
  fileURLToPath(new URL(path, import.meta.resolve('mondido-gateway/package.json')))

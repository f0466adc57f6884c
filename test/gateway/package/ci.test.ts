import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { NoOperationTraceWriter, parseWorkflow } from '@actions/workflow-parser'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import root from '../../../package.json' with { type: 'json' }
import { blocksOf, inRepository, read } from '../../helpers/documents.ts'
import { useShop } from './packed.ts'

const shop = useShop('mondido-gateway')
const run = promisify(execFile)

/** Returns the recipe of docs/how-to/ci.md that begins with this comment. */
function recipe(name: string): string {
  const found = blocksOf('docs/how-to/ci.md').find(({ code }) => code.startsWith(`# ${name}\n`))
  if (!found) throw new Error(`docs/how-to/ci.md has no recipe for ${name}`)
  return found.code
}

describe('the recipe for CI is valid for its service:', () => {
  /** Returns the errors that GitHub's own parser finds in a workflow. */
  const workflowErrors = (content: string) =>
    parseWorkflow({ name: 'test.yml', content }, new NoOperationTraceWriter())
      .context.errors.getErrors()
      .map(({ message }) => message)

  test('GitHub Actions', () => {
    expect(workflowErrors(recipe('github'))).toEqual([])
    expect(workflowErrors(recipe('github').replace('steps:', 'stops:'))).not.toEqual([])
  })

  /**
   * Reads a file like GitLab, with its schema.
   * @throws Error that names the mistake
   */
  async function readByGitlab(text: string) {
    const folder = join(shop.folder, 'gitlab')
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, '.gitlab-ci.yml'), text)
    await run('git', ['init', '--quiet'], { cwd: folder })
    await run('git', ['remote', 'add', 'origin', 'git@example.test:shop/shop.git'], {
      cwd: folder,
    }).catch(() => {})
    return run(process.execPath, [inRepository('node_modules/.bin/gitlab-ci-local'), '--list'], {
      cwd: folder,
    })
  }

  test('GitLab', async () => {
    expect((await readByGitlab(recipe('gitlab'))).stdout).toMatch(/^test .*on_success/m)
    await expect(readByGitlab(recipe('gitlab').replace('script:', 'skript:'))).rejects.toThrow()
  })
})

describe('workflows', () => {
  interface Step {
    readonly name?: string
    readonly run?: string
    readonly uses?: string
  }

  interface Job {
    readonly strategy?: { readonly matrix: { readonly os: readonly string[] } }
    readonly permissions?: Readonly<Record<string, string>>
    readonly steps: readonly Step[]
  }

  interface Workflow {
    readonly permissions: Readonly<Record<string, string>>
    readonly jobs: Readonly<Record<string, Job>>
  }

  const pathOf = (name: string) => `.github/workflows/${name}.yml`
  const workflow = (name: string): Workflow => parse(read(pathOf(name)))
  const stepsOf = (name: string) => Object.values(workflow(name).jobs).flatMap(({ steps }) => steps)

  const parserErrors = (name: string, content: string) =>
    parseWorkflow({ name, content }, new NoOperationTraceWriter())
      .context.errors.getErrors()
      .map(({ message }) => message)

  describe.each(['ci', 'release'])('the workflow %s', (name) => {
    test('has no errors for the parser of GitHub', () => {
      const text = read(pathOf(name))
      expect(parserErrors(name, text)).toEqual([])
      expect(parserErrors(name, text.replace('steps:', 'stops:'))).not.toEqual([])
    })

    test('names existing scripts', () => {
      const commands = stepsOf(name).flatMap(({ run: command }) => command ?? [])
      const scripts = commands.flatMap((text) => [
        ...text.matchAll(/npm (?:run )?(start|test|docs)/g),
      ])
      expect(scripts.length).toBeGreaterThan(0)
      for (const [, script = ''] of scripts) expect(root.scripts).toHaveProperty(script)
    })
  })

  test('CI runs the commands of README on Linux, macOS and Windows', () => {
    const [block] = blocksOf('README.md').filter(({ language }) => language === 'sh')
    const wanted = block?.code.match(/npm \w+/g)
    expect(wanted).toEqual(['npm ci', 'npm start', 'npm ci', 'npm test'])
    const { start, test: tests } = workflow('ci').jobs
    for (const [job, command] of [
      [start, 'npm start'],
      [tests, 'npm test'],
    ] as const) {
      expect(job?.strategy?.matrix.os).toEqual(['ubuntu-latest', 'macos-latest', 'windows-latest'])
      const text = job?.steps.map(({ run: each }) => each).join('\n')
      expect(text).toMatch(new RegExp(`npm ci\n.*${command}`, 's'))
    }
  })
})

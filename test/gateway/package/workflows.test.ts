import { execFile, execFileSync } from 'node:child_process'
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { NoOperationTraceWriter, parseWorkflow } from '@actions/workflow-parser'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import project from '../../../mock-gateway/package.json' with { type: 'json' }
import root from '../../../package.json' with { type: 'json' }
import { blocksOf, inRepository, read } from '../../helpers/documents.ts'
import { programEnv } from '../../helpers/program.ts'

const run = promisify(execFile)

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

  test('uses only actions of GitHub and Docker, at a major version', () => {
    const actions = stepsOf(name).flatMap(({ uses }) => uses ?? [])
    expect(actions.length).toBeGreaterThan(0)
    for (const action of actions) expect(action).toMatch(/^(actions|docker)\/[\w-]+@v\d+$/)
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

test('only jobs that publish may write, and they run after the tests', () => {
  for (const name of ['ci', 'release'])
    expect(workflow(name).permissions).toEqual({ contents: 'read' })
  const granted = Object.entries({ ...workflow('ci').jobs, ...workflow('release').jobs }).flatMap(
    ([job, { permissions = {} }]) =>
      Object.entries(permissions).flatMap(([what, right]) =>
        right === 'write' ? `${job}: ${what}` : [],
      ),
  )
  expect(granted).toEqual([
    'packages: id-token',
    'image: packages',
    'docs: pages',
    'docs: id-token',
  ])
  for (const job of ['packages', 'image', 'docs'])
    expect(workflow('release').jobs[job]).toHaveProperty('needs', 'test')
})

describe('the release workflow', () => {
  /**
   * Runs the shell commands of a step, like a runner.
   * @returns the text in the step's outputs
   */
  async function runStep(name: string, cwd: string, env: NodeJS.ProcessEnv): Promise<string> {
    const command = stepsOf('release').find((step) => step.name?.startsWith(name))?.run ?? ''
    const folder = await mkdtemp(join(tmpdir(), 'step-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const output = join(folder, 'output')
    await run('bash', ['-e', '-c', `touch "$GITHUB_OUTPUT"\n${command}`], {
      cwd,
      env: { ...programEnv(), GITHUB_OUTPUT: output, ...env },
    })
    return readFile(output, 'utf8')
  }

  test('stops if the tag is not the version of both packages', async () => {
    const compare = (tag: string) =>
      runStep('Compare the tag', inRepository(''), { GITHUB_REF_NAME: tag })
    await compare(`v${project.version}`)
    await expect(compare('v0.0.1')).rejects.toThrow()
  })

  test('names the repository in both packages', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'named-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    for (const path of ['package.json', 'sdk/package.json', 'mock-gateway/package.json'])
      await cp(inRepository(path), join(folder, path))
    await runStep('Name the repository', folder, { REPOSITORY: 'https://git.example/team/shop' })
    for (const directory of ['sdk', 'mock-gateway']) {
      const { repository } = JSON.parse(
        await readFile(join(folder, directory, 'package.json'), 'utf8'),
      )
      expect(repository).toEqual({
        type: 'git',
        url: 'git+https://git.example/team/shop.git',
        directory,
      })
    }
  })

  test('gives the image the version and `latest`, below the owner in lower case', async () => {
    const env = { GITHUB_REPOSITORY_OWNER: 'Team', GITHUB_REF_NAME: 'v2.0.0' }
    expect(await runStep('Choose the tags', inRepository(''), env)).toBe(
      'list=ghcr.io/team/mondido-gateway:2.0.0,ghcr.io/team/mondido-gateway:latest\n',
    )
  })
})

test('no file names the address of the repository, except the workflow of the release', () => {
  // The address of the package URL specification is allowed, because it is another project's
  // repository.
  const host =
    /\b(?:github|gitlab|bitbucket|codeberg)\.(?:com|org)[/:](?!package-url\/)[\w-]+\/[\w-]+/g
  const files = execFileSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    {
      cwd: inRepository(''),
      maxBuffer: 2 ** 26,
    },
  )
    .toString()
    .split('\0')
    .filter((path) => /\.(md|json|ya?ml|ts|mjs|cjs|php|rb|py|html|css|liquid|cmd)$/.test(path))
    .filter((path) => path !== 'package-lock.json')
  expect(files).toContain('README.md')
  const found = files.flatMap((path) =>
    (read(path).match(host) ?? []).map((each) => `${path}: ${each}`),
  )
  expect(found).toEqual([])
  expect(read(pathOf('release'))).toMatch(/REPOSITORY: .*github\.server_url.*github\.repository/)
  for (const path of ['package.json', 'sdk/package.json', 'mock-gateway/package.json'])
    expect(JSON.parse(read(path))).not.toHaveProperty('repository')
})

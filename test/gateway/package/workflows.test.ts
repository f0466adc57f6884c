import { NoOperationTraceWriter, parseWorkflow } from '@actions/workflow-parser'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import root from '../../../package.json' with { type: 'json' }
import { blocksOf, read } from '../../helpers/documents.ts'

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

import { execFile } from 'node:child_process'
import { access, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { NoOperationTraceWriter, parseWorkflow } from '@actions/workflow-parser'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { blocksOf, inRepository } from '../../helpers/documents.ts'
import { programEnv } from '../../helpers/program.ts'
import { useShop } from './packed.ts'

const shop = useShop('mondido-gateway')
const run = promisify(execFile)

/** Returns the recipe of docs/how-to/ci.md that begins with this comment. */
function recipe(name: string): string {
  const found = blocksOf('docs/how-to/ci.md').find(({ code }) => code.startsWith(`# ${name}\n`))
  if (!found) throw new Error(`docs/how-to/ci.md has no recipe for ${name}`)
  return found.code
}

/** Commands of each service, in their order. */
const COMMANDS: Readonly<Record<string, () => readonly string[]>> = {
  github: () => {
    const { jobs } = parse(recipe('github')) as { jobs: { test: { steps: { run?: string }[] } } }
    return jobs.test.steps.flatMap(({ run: command }) => command ?? [])
  },
  gitlab: () => (parse(recipe('gitlab')) as { test: { script: string[] } }).test.script,
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

/** Returns a test of a user that pays with the variables of `exec`, and checks the answer. */
const pays = (cvv: string) => `
  const { MONDIDO_BASE_URL: url, MONDIDO_MERCHANT_ID: id, MONDIDO_PASSWORD: password, MONDIDO_SECRET: secret } = process.env
  const hash = require('node:crypto').hash('md5', id + 'A1' + '10.00' + 'sek' + 'test' + secret)
  const order = { payment_ref: 'A1', amount: '10.00', currency: 'sek', test: 'true', hash }
  const card = { card_number: '4111111111111111', card_holder: 'Kim', card_expiry: '1230', card_cvv: '${cvv}' }
  const headers = { authorization: 'Basic ' + btoa(id + ':' + password) }
  fetch(url + '/v1/transactions', { method: 'POST', headers, body: new URLSearchParams({ ...order, ...card }) })
    .then((answer) => process.exit(answer.ok ? 0 : 1))`

test.each(Object.keys(COMMANDS))(
  'the shell steps of %s succeed if the payment is made, and write a report if not',
  async (name) => {
    const [install, ...steps] = COMMANDS[name]?.() ?? []
    // The packages are installed already, because tests have no network.
    expect(install).toBe('npm ci')
    const manifest = JSON.parse(await readFile(join(shop.folder, 'package.json'), 'utf8'))
    await writeFile(
      join(shop.folder, 'package.json'),
      JSON.stringify({ ...manifest, scripts: { test: 'node pays.cjs' } }),
    )
    const report = join(shop.folder, 'mondido-report.txt')
    const runSteps = () =>
      run('bash', ['-e', '-c', steps.join('\n')], { cwd: shop.folder, env: programEnv() })
    await writeFile(join(shop.folder, 'pays.cjs'), pays('200'))
    await runSteps()
    await expect(access(report)).rejects.toThrow()
    await writeFile(join(shop.folder, 'pays.cjs'), pays('201'))
    await expect(runSteps()).rejects.toThrow()
    await access(report)
    await rm(report)
  },
)

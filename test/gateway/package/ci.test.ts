import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { NoOperationTraceWriter, parseWorkflow } from '@actions/workflow-parser'
import { describe, expect, test } from 'vitest'
import { blocksOf, inRepository } from '../../helpers/documents.ts'
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

/** Tests of `mondido-gateway snapshot` as a program, with a gateway in another process. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inRepository } from '../../helpers/documents.ts'
import { GATEWAY_PROGRAM, type Program, runGatewayIn, startProgram } from '../../helpers/program.ts'

describe('snapshot', () => {
  let folder: string
  let gateway: Program
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'snapshot-'))
    const flags = ['--port', '0', '--data', folder]
    gateway = startProgram(inRepository(GATEWAY_PROGRAM), flags)
    await gateway.printed(/http:\/\/localhost:\d+/)
  })
  afterAll(async () => {
    await gateway.stop()
    await rm(folder, { recursive: true })
  })

  const run = async (line: string) =>
    (await runGatewayIn(folder, [...line.split(' '), '--data', folder])).trim()

  test('saves, lists, restores and deletes the data of the running gateway', async () => {
    expect(await run('snapshot list')).toBe('No snapshot is saved.')
    const paid = await run('pay 10 --ref first')
    expect(await run('snapshot save before')).toBe('Saved before: 1 payment.')
    const later = await run('pay 10 --ref second')
    expect(await run('snapshot list')).toMatch(/before, 1 payment$/)
    expect(await run('snapshot restore before')).toBe('Restored before: 1 payment.')
    // The restore deleted the second payment, so its reference and id are free again.
    expect(await run('pay 10 --ref second')).toBe(later)
    expect(paid).toContain('payment_ref first')
    expect(await run('snapshot delete before')).toBe('Deleted before.')
    expect(await run('snapshot')).not.toContain('before')
  })
})

import emulator from 'node:console'
import jQuery from 'jquery'
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest'
import { startGateway, type TestGateway } from './gateway.ts'
import { installLibrary } from './shop.ts'

/**
 * Page with the library and a gateway for the tests of one file. Each test has a new page and a new
 * copy of the library. The library's console messages are in `warnings` and `errors`.
 */
export interface Stage {
  gateway: TestGateway
  warnings: unknown[][]
  errors: unknown[][]
}

export function useStage(): Stage {
  const stage = { warnings: [], errors: [] } as unknown as Stage
  beforeAll(async () => {
    stage.gateway = await startGateway()
  })
  beforeEach(() => {
    // The emulated browser reports every failed request here.
    vi.spyOn(emulator, 'error').mockReturnValue()
    stage.warnings = vi.spyOn(console, 'warn').mockReturnValue().mock.calls
    stage.errors = vi.spyOn(console, 'error').mockReturnValue().mock.calls
    installLibrary(stage.gateway.config)
  })
  afterEach(async () => {
    // Forms that still exist after their post would send status requests in the next test.
    for (const form of document.forms) jQuery(form).mondido?.('destroy')
    await stage.gateway.calm()
    document.body.innerHTML = ''
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
    vi.useRealTimers()
  })
  afterAll(() => stage.gateway.stop())
  return stage
}

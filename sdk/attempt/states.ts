import type { MondidoState } from '../types.ts'

/** States of a form's attempts, with their possible successors. */
export const NEXT: Readonly<Record<MondidoState, readonly MondidoState[]>> = {
  idle: ['before'],
  before: ['encrypting', 'fail', 'idle'],
  encrypting: ['mpi', 'sending', 'fail', 'idle'],
  mpi: ['encrypting', 'sending', 'fail', 'idle'],
  sending: ['encrypting', 'mpi', 'success', 'fail', 'idle'],
  success: ['idle'],
  fail: ['before', 'idle'],
}

/** Returns true if an attempt is running in this state. */
export const isBusy = (state: MondidoState): boolean => NEXT[state].includes('fail')

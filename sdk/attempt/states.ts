import type { MondidoState } from '../types.ts'

/** The life of a form's attempts: what may follow what. */
export const NEXT: Readonly<Record<MondidoState, readonly MondidoState[]>> = {
  idle: ['before'],
  before: ['encrypting', 'fail', 'idle'],
  encrypting: ['mpi', 'sending', 'fail', 'idle'],
  mpi: ['encrypting', 'sending', 'fail', 'idle'],
  sending: ['encrypting', 'mpi', 'success', 'fail', 'idle'],
  success: ['idle'],
  fail: ['before', 'idle'],
}

/** Whether an attempt runs in this state. */
export const isBusy = (state: MondidoState): boolean => NEXT[state].includes('fail')

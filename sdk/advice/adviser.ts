import { LIBRARY_ADVICE } from '../../mock-gateway/contract/library-advice.ts'
import type { Adviser, Facts } from './tell.ts'

// Entry of `/v2/mondido-advice.js`: what only integrators need. A page loads it in test mode.

export const describe: Adviser['describe'] = (code, facts) =>
  LIBRARY_ADVICE[code]
    .map((text) => fill(text, facts))
    .join(' ')
    .trim()

/** Puts the facts of a case into a text. */
const fill = (text: string, facts: Facts): string =>
  text.replace(/\{(\w+)\}/g, (_all, name) => String(facts[name] ?? ''))

export { examine } from './doctor.ts'

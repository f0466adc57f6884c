// Entry of `/v2/mondido-advice.js`: the explanations for developers.
export { describe, examine } from './adviser.ts'

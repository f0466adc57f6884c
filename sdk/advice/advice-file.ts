import { listCommands } from '../jquery/commands.ts'
import { type AdviceCode, LIBRARY_ADVICE } from '../shared/advice-texts.ts'
import { suggest } from './nearest.ts'
import type { AdviceModule, Facts } from './tell.ts'
import { describeAllowedValues, OPTION_NAMES } from './words.ts'

// The part of the library for developers, `/v2/mondido-advice.js`, which pages load in test mode.

export { examine } from './form-diagnosis.ts'

/** Libraries that prevent submit, by a word of the form’s tag, and how to pay with them. */
const PREVENTERS: readonly (readonly [words: RegExp, by: string, fix: string])[] = [
  [
    /\bng-(in)?valid\b/,
    'Angular’s FormsModule',
    'Add ngNoForm to the form, or call submit of the controller in (ngSubmit).',
  ],
  [/\bhx-(get|post|put|patch|delete)\b/, 'htmx', 'Remove the attributes of htmx from the form.'],
  [/\bwire:submit/, 'Livewire', 'Remove wire:submit from the form.'],
  [/(@|x-on:)submit/, 'Alpine', 'Remove the handler of submit from the form.'],
  [
    /data-bind="[^"]*\bsubmit:/,
    'Knockout’s binding submit',
    'Return true from its handler, or use the binding event: { submit: … }.',
  ],
  [/submit-(>|&gt;)[^" ]*:prevent/, 'Stimulus', 'Remove :prevent from data-action.'],
  [/\bonsubmit\b/, 'The attribute onsubmit', 'Return nothing from it if the payment can continue.'],
  [
    /()/,
    'A listener of the page',
    'Do not prevent submit. Use payment:before for code before the payment, and the option success for code after it.',
  ],
]

/** Adds facts that this file can find, so that the library need not contain them. */
const MORE_FACTS: Partial<Record<AdviceCode, (facts: Facts) => Facts>> = {
  'config.option_invalid': ({ option }) => ({ allowed: describeAllowedValues(String(option)) }),
  'option.unknown': ({ option }) => ({ nearest: suggest(String(option), OPTION_NAMES) }),
  'command.unknown': ({ command }) => ({ nearest: suggest(String(command), listCommands()) }),
  'page.submit_prevented': ({ form }) => {
    const [, by, fix] = PREVENTERS.find(([words]) => words.test(String(form))) ?? []
    return { by, fix }
  },
  'page.empty_set': () => ({ forms: [...document.forms].map(createSelector).join(', ') || 'none' }),
}

const createSelector = (form: Element): string => {
  const id = form.getAttribute('id')
  return id ? `#${id}` : 'one without an id'
}

export const describe: AdviceModule['describe'] = (code, facts) => {
  const all = { ...facts, ...MORE_FACTS[code]?.(facts) }
  return LIBRARY_ADVICE[code].map((text) => fill(text, all)).join(' ')
}

/** Fills the facts of a case into a text. */
const fill = (text: string, facts: Facts): string =>
  text.replace(/\{(\w+)\}/g, (_all, name) => String(facts[name] ?? 'it'))

import { findTypedBrand, formatExpiry, groupNumber } from '../../../../../sdk/shared/typed-card.ts'
import {
  CARD_INPUTS,
  type CardField,
  cardProblems,
  plainCard,
} from '../../../../domain/card/rules.ts'
import { PAYER_FIELDS, payerProblems } from '../../../../domain/payer/page-fields.ts'
import { byId, rewrite } from './elements.ts'
import { checkOnLeaving, tellProblems } from './problems.ts'

/** Groups digits, shows the brand, and reports problems before the form is sent. */
export function mountCardForm(): void {
  const form = byId('mondidopayform', HTMLFormElement)
  if (!form) return
  const texts: Readonly<Record<string, string>> = JSON.parse(form.dataset.texts ?? '{}')
  // The page's own texts equal the gateway's, and are in the page's language.
  form.noValidate = true
  follow('card_number', (input, inputType) => {
    rewrite(input, groupNumber, inputType)
    showBrand(findTypedBrand(input.value)?.name)
  })
  follow('card_expiry', (input, inputType) => rewrite(input, formatExpiry, inputType))
  const problemsNow = () =>
    wrongIn(form).map(({ field, error }) => ({ field, text: texts[error] ?? error }))
  checkOnLeaving(form, problemsNow)
  form.addEventListener('submit', (event) => {
    if (tellProblems(problemsNow(), texts)) event.preventDefault()
  })
}

/** Lists the problems of payer and card, in the order of the form; a stored card has no inputs. */
function wrongIn(form: HTMLFormElement) {
  const details = Object.fromEntries(PAYER_FIELDS.map((field) => [field, typedIn(field)]))
  const fields = PAYER_FIELDS.filter((field) => document.getElementById(field))
  const card = cardProblems(plainCard(readTypedCard()), form.dataset.month ?? '')
  const isStored = Boolean(
    form.querySelector<HTMLInputElement>('[name=stored_card]:checked')?.value,
  )
  const ofCard = card.filter(
    ({ field }) => !isStored || (field === 'card_cvv' && form.dataset.cvv === 'required'),
  )
  return [...payerProblems(fields, details), ...ofCard]
}

const typedIn = (field: string): string =>
  byId(field, HTMLInputElement)?.value ?? byId(field, HTMLSelectElement)?.value ?? ''

const readTypedCard = () =>
  Object.fromEntries(CARD_INPUTS.map((field) => [field, typedIn(field)])) as Record<
    CardField,
    string
  >

/** Calls back now and after each change, except during text composition with an input method. */
function follow(
  field: CardField,
  update: (input: HTMLInputElement, inputType?: string) => void,
): void {
  const input = byId(field, HTMLInputElement)
  if (!input) return
  for (const type of ['input', 'change', 'compositionend'])
    input.addEventListener(type, (event) => {
      const { isComposing, inputType } = event as InputEvent
      if (!isComposing) update(input, inputType)
    })
  update(input)
}

/** Dims the logos of other brands, and sets the texts for screen readers. */
function showBrand(brand: string | undefined): void {
  let seen: HTMLElement | undefined
  for (const mark of document.querySelectorAll<HTMLElement>('[data-types]')) {
    const isSeen = brand !== undefined && (mark.dataset.types ?? '').split(' ').includes(brand)
    mark.classList.toggle('seen', isSeen)
    if (isSeen) seen = mark
  }
  document.querySelector('.marks')?.classList.toggle('chosen', seen !== undefined)
  say('brand', seen?.dataset.said ?? '')
  say(
    'card_cvv_hint',
    seen?.dataset.code ?? document.querySelector<HTMLElement>('.marks')?.dataset.code ?? '',
  )
}

/** Changes a text only if it differs, because screen readers announce changes. */
function say(id: string, text: string): void {
  const place = byId(id, HTMLParagraphElement)
  if (place && place.textContent !== text) place.textContent = text
}

import { brandTyped, CARD_INPUTS, type CardField, cardProblems, plainCard } from '../../../../domain/card-rules.ts'
import { byId } from './elements.ts'
import { type Told, tellProblems } from './problems.ts'
import { groupedExpiry, groupedNumber, rewrite } from './typing.ts'

/** Groups digits, shows the brand, and says what is wrong before anything is sent. */
export function mountCardForm(): void {
  const form = byId('mondidopayform', HTMLFormElement)
  if (!form) return
  const texts: Readonly<Record<string, string>> = JSON.parse(form.dataset.texts ?? '{}')
  // Our own words are the same as the gateway's, and in the page's language.
  form.noValidate = true
  follow('card_number', (input) => {
    rewrite(input, groupedNumber)
    showBrand(brandTyped(input.value), texts.card_seen ?? '')
  })
  follow('card_expiry', (input) => rewrite(input, groupedExpiry))
  form.addEventListener('submit', (event) => {
    // A stored card is typed nowhere; what else is wrong the gateway says.
    if (form.querySelector<HTMLInputElement>('[name=stored_card]:checked')?.value) return
    const problems = cardProblems(plainCard(typed()), form.dataset.month ?? '')
    const told: Told[] = problems.map(({ field, error }) => ({ field, text: texts[error] ?? error }))
    if (tellProblems(told, texts)) event.preventDefault()
  })
}

const inputOf = (field: CardField): HTMLInputElement | null => byId(field, HTMLInputElement)

const typed = () =>
  Object.fromEntries(CARD_INPUTS.map((field) => [field, inputOf(field)?.value ?? ''])) as Record<CardField, string>

/** Calls with an input as it is, and after each change that is not half a character of a keyboard for other scripts. */
function follow(field: CardField, look: (input: HTMLInputElement) => void): void {
  const input = inputOf(field)
  if (!input) return
  for (const type of ['input', 'change', 'compositionend'])
    input.addEventListener(type, (event) => {
      if (!(event as InputEvent).isComposing) look(input)
    })
  look(input)
}

/** Dims the marks of other brands, and tells the name to those who do not see them. */
function showBrand(brand: string | undefined, said: string): void {
  let name = ''
  for (const mark of document.querySelectorAll<HTMLElement>('[data-types]')) {
    const isSeen = brand !== undefined && (mark.dataset.types ?? '').split(' ').includes(brand)
    mark.classList.toggle('seen', isSeen)
    if (isSeen) name = mark.querySelector('img')?.alt ?? ''
  }
  document.querySelector('.marks')?.classList.toggle('chosen', name !== '')
  const status = byId('brand', HTMLParagraphElement)
  const text = name && `${said} ${name}`
  if (status && status.textContent !== text) status.textContent = text
}

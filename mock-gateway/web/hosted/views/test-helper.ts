import { html, type SafeHtml } from '../../pages/html.ts'
import type { PaymentFormData } from '../form-data.ts'
import type { TestOutcome } from '../test-outcomes.ts'
import type { HostedContext } from './sheet.ts'

/** Renders the test cards and test persons of a test payment. */
export function testHelper(
  { text }: HostedContext,
  isTest: boolean,
  { outcomes, persons, test_expiry }: PaymentFormData,
): SafeHtml | null {
  if (!isTest) return null
  const quick = outcomes.filter((each) => each.quick !== null)
  const groups = [false, true].map((is3ds) =>
    outcomes.filter(({ threeDSecure }) => (threeDSecure !== null) === is3ds),
  )
  return html`<div class="test">
<p>${text.test}${quick.length > 0 ? ` ${text.helper_hint}` : null}</p>
${
  quick.length === 0
    ? null
    : html`<p class="quick">
${quick.map(
  (each) => html`<button type="button" data-row="${outcomes.indexOf(each)}">${each.quick}</button>
`,
)}</p>
<details class="helper">
<summary>${text.helper_more(outcomes.length - quick.length)}</summary>
<table data-expiry="${test_expiry}">
<thead><tr>
<th scope="col">${text.helper_outcome}</th>
<th scope="col">${text.helper_card}</th>
<th scope="col">${text.helper_cvv}</th>
</tr></thead>
${groups.map(
  (group, at) => html`<tbody>
${
  at === 0
    ? null
    : html`<tr><th scope="rowgroup" colspan="3">3-D Secure</th></tr>
`
}${group.map(outcomeRow)}</tbody>
`,
)}</table>
</details>`
}
${
  persons.length === 0
    ? null
    : html`<details class="helper">
<summary>${text.persons}</summary>
<p class="quiet">${text.persons_hint}</p>
<table>
<thead><tr>
<th scope="col">${text.person_number}</th>
<th scope="col">${text.person_answer}</th>
</tr></thead>
<tbody>
${persons.map(
  ({ country, number, error }) =>
    html`<tr><th scope="row">${country} ${number}</th><td>${error ?? text.person_approved}</td></tr>
`,
)}</tbody>
</table>
</details>`
}
</div>`
}

/** Renders a card with a button with which our script fills it in. */
const outcomeRow = ({ label, number, cvv }: TestOutcome): SafeHtml =>
  html`<tr class="outcome"><th scope="row"><button type="button" class="plain">${label}</button></th>
<td>${number}</td><td>${cvv}</td></tr>
`

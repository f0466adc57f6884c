import { html, type SafeHtml } from '../../pages/html.ts'
import type { ConsolePage, ConsoleVisit } from '../visit.ts'
import { barChart } from './bars.ts'
import { copied, json, link, money, plain, status, time } from './cells.ts'
import { codeBlock } from './code.ts'
import { emptyState } from './empty.ts'
import { factList, factSummary } from './facts.ts'
import { chipList, filterForm, pager } from './filters.ts'
import { formField } from './form-field.ts'
import { fieldView } from './forms.ts'
import { mistakeList } from './mistakes.ts'
import { problemBox, problemLine } from './problem.ts'
import { table } from './table.ts'

/** The package contains no sources, so it needs no page for developers of the design. */
const isFromSources = import.meta.url.endsWith('.ts')

const DESIGN_PAGE: ConsolePage<ConsoleVisit> = {
  path: '/design',
  show: async () => ({ title: 'Design', body: designView() }),
}

/** The page of the design system, only in a gateway that runs from its sources. */
export const DESIGN_PAGES: readonly ConsolePage<ConsoleVisit>[] = isFromSources ? [DESIGN_PAGE] : []

const PROBLEM = {
  code: 107,
  name: 'errors.hash.invalid' as const,
  description: 'Invalid hash',
  explain: 'The secret is missing in the string.',
}

const NEUTRAL = '2026-03-14T12:00:00Z'

/** Every part of the design system, once in each of its forms. */
function designView(): SafeHtml {
  const parts: Readonly<Record<string, SafeHtml | null>> = {
    Type: html`<h2>Heading of a section</h2>
<h3>Heading of a part</h3>
<p>Text, with <a href="#type">a link</a> and <code>code</code>.</p>
<p class="quiet">Quiet text</p>
<p class="hint">Hint of a field</p>
<p class="amount">1,250.00 SEK</p>`,
    Buttons: html`<p class="presets">
<button type="button">First</button>
<button type="button" class="small">Second</button>
<button type="button" class="plain">Third</button>
<button type="button" class="danger">Danger</button>
<a class="button" href="#buttons">Link</a></p>`,
    Choices: html`<div class="choices"><button type="button" class="small">Decline</button>
<button type="button" class="small">Approve</button></div>`,
    Statuses: html`<p class="presets">${[
      'approved',
      'authorized',
      'pending',
      'declined',
      'cancelled',
    ].map((text) => html`<span class="status ${status(text).tone}">${text}</span>`)}</p>`,
    Fields: html`${[
      formField('line', { label: 'Line', help: 'Its purpose, in a sentence.', value: 'Text' }),
      formField('number', { label: 'Number', kind: 'number', value: '12', isRequired: true }),
      formField('choice', {
        label: 'Choice',
        kind: 'choice',
        choices: ['one', 'two'],
        value: 'two',
      }),
      formField('json', { label: 'JSON', kind: 'json', value: '{}' }),
      formField('wrong', { label: 'With a mistake', value: 'x', problem: 'Write a number.' }),
      formField('fixed', { label: 'Set at the start', value: 'sek', isFixed: true }),
    ].map(fieldView)}`,
    Filters: html`${filterForm(
      [
        { name: 'status', label: 'Status', value: 'approved', hint: '', choices: ['approved'] },
        { name: 'amount', label: 'Amount', value: '', hint: '10..20', choices: [] },
        { name: 'from', label: 'From (UTC)', value: '', hint: '', choices: [], isDay: true },
      ],
      '#filters',
    )}
${chipList([
  { text: 'Status: approved', to: '#filters', isSet: true },
  { text: 'today', to: '#filters', isSet: false },
])}
${pager({ before: '#filters', after: '#filters' })}`,
    Table: table({
      heads: ['Transaction', 'Reference', 'Amount', 'Status', 'Created'],
      places: ['first', null, 'first-end', 'second-end', 'second'],
      rows: ['approved', 'pending', 'declined'].map((each, at) => [
        link(at + 1, '#table'),
        copied(plain(`order-${at + 1}`)),
        money('10.00', 'sek'),
        status(each),
        time(NEUTRAL),
      ]),
    }),
    Summary: factSummary([
      { name: 'Order', ...copied(plain('order-1')) },
      { name: 'Created', ...time(NEUTRAL) },
    ]),
    Facts: factList([
      { name: 'Name', ...plain('Wool') },
      { name: 'Contents', ...json({ a: 1 }) },
    ]),
    Callouts: html`${problemBox(PROBLEM)}<p class="done">Saved.</p>
${['good', 'waiting', 'off', ''].map((tone) => html`<p class="callout ${tone}">A callout</p>`)}
${problemLine(PROBLEM)}
${mistakeList(['The secret is missing.'])}`,
    Attention: html`<ul class="attention">${['bad', 'waiting', 'off'].map(
      (tone) => html`<li class="${tone}"><a href="#attention">1 webhook failed</a></li>`,
    )}</ul>`,
    'Empty state': emptyState('No payments yet.', html`<a href="#empty-state">Make one</a>`),
    Code: codeBlock('curl http://localhost:4400/v1/transactions'),
    Chart: barChart(
      'Payments per day',
      [1, 2, 3].map((day) => ({
        name: `2026-03-0${day}`,
        to: '#chart',
        parts: { good: day, waiting: 1, bad: day - 1 },
      })),
      { good: 'approved', waiting: 'pending', bad: 'declined' },
    ),
  }
  return html`<p class="quiet">All parts of the design system.
Only a gateway that runs from its sources has this page.</p>
${Object.entries(parts).map(
  ([name, part]) => html`<section data-part="${name}"><h2 id="${idOf(name)}">${name}</h2>
${part}
</section>
`,
)}`
}

const idOf = (name: string): string => name.toLowerCase().replace(' ', '-')

import { durationText } from '../../domain/duration-text.ts'
import {
  PARTIES,
  type Party,
  type StoryArrow,
  type StoryEntry,
} from '../../serializers/story/entries.ts'
import { wireTime } from '../../serializers/time.ts'
import { html, type SafeHtml } from './html.ts'

/** Milliseconds without an event from which the diagram marks the gap (our decision). */
const GAP_MS = 5_000

/** Names of the parties in the heads of their lanes. */
const NAMES: Readonly<Record<Party, string>> = {
  shop: 'Shop',
  payer: 'Payer',
  gateway: 'Gateway',
  bank: 'Bank',
  receiver: 'Webhooks',
}

/** Returns the address of an entry's details; null if there is no such page. */
export type LinkOf = (of: NonNullable<StoryEntry['of']>) => string | null

/**
 * Renders a sequence diagram: a lane for each party, an arrow for each request, question, redirect
 * and webhook. Each row opens its details. The text alternative has the same content.
 */
export function sequenceDiagram(entries: readonly StoryEntry[], linkOf: LinkOf): SafeHtml {
  const lanes = PARTIES.filter((party) =>
    entries.some(({ arrow }) => arrow?.from === party || arrow?.to === party),
  )
  const rows = groupEntries(entries)
  const firstDay = entries[0] && wireTime(entries[0].at).slice(0, 10)
  return html`<ol class="sequence">
<li class="names" aria-hidden="true"><time>${firstDay}</time>
<span class="lanes">${lanes.map((party) => html`<span>${NAMES[party]}</span>`)}</span></li>
${rows.map((row, at) => [
  gapBefore(row, rows[at - 1]),
  html`<li>${rowHtml(row, lanes, linkOf)}</li>
`,
])}</ol>`
}

/** Entries in one row: the first is the visible one. */
type Row = readonly [StoryEntry, ...StoryEntry[]]

/**
 * Folds steps inside the gateway into the row before them, and arrows that repeat the arrow before
 * them.
 */
function groupEntries(entries: readonly StoryEntry[]): readonly Row[] {
  const rows: Row[] = []
  for (const entry of entries) {
    const before = rows.at(-1)
    if (before && isTogether(before, entry)) rows[rows.length - 1] = [...before, entry]
    else rows.push([entry])
  }
  return rows
}

function isTogether(row: Row, { at, arrow, isPlumbing }: StoryEntry): boolean {
  if (at - (row.at(-1) ?? row[0]).at >= GAP_MS) return false
  return isPlumbing === true || (arrow !== undefined && isSame(arrow, row[0].arrow))
}

const isSame = (one: StoryArrow, other: StoryArrow | undefined): boolean =>
  one.from === other?.from &&
  one.to === other.to &&
  one.label === other.label &&
  one.result === other.result

function gapBefore([{ at }]: Row, before: Row | undefined): SafeHtml | null {
  const last = before?.at(-1)
  if (last === undefined || at - last.at < GAP_MS) return null
  const day = wireTime(at).slice(0, 10)
  const newDay = day === wireTime(last.at).slice(0, 10) ? null : `, ${day}`
  return html`<li class="gap">${durationText(at - last.at)} later${newDay}</li>
`
}

function rowHtml(row: Row, lanes: readonly Party[], linkOf: LinkOf): SafeHtml {
  const [entry] = row
  const { at, tone, arrow } = entry
  const times = arrow ? row.filter((each) => each.arrow).length : 1
  const what = `${arrow?.label ?? entry.title}${times > 1 ? ` ×${times}` : ''}`
  const parties =
    arrow && html`<span class="unseen">${NAMES[arrow.from]} to ${NAMES[arrow.to]}: </span>`
  const result = arrow?.result && html` <span class="result ${tone}">${arrow.result}</span>`
  return html`<details${entry.isPlumbing ? html` class="plumbing"` : null}>
<summary><time datetime="${wireTime(at)}" data-exact>${wireTime(at).slice(11, 19)}</time>
${picture(lanes, arrow, tone)}
<span class="what">${parties}${what}${result}</span></summary>
<div class="contents">${row.map((each) => contentsOf(each, linkOf))}</div></details>`
}

function contentsOf(entry: StoryEntry, linkOf: LinkOf): SafeHtml {
  const { kind, title, says, details, of } = entry
  const to = of ? linkOf(of) : null
  const terms = details.map(
    ({ name, text }) =>
      html`<dt>${name}</dt><dd>${
        text.includes('\n') ? html`<pre tabindex="0">${text}</pre>` : text
      }</dd>`,
  )
  const link = to && html` <a href="${to}">all of it</a>`
  return html`<p><span class="kind">${kind}</span> <b>${title}</b>${link}</p>
${says && html`<p>${says}</p>`}
${terms.length > 0 ? html`<dl>${terms}</dl>` : null}`
}

/** Returns the middle of a party's lane, as a percentage: the picture fills its column. */
const middleOf = (party: Party, lanes: readonly Party[]): string =>
  `${(100 * (lanes.indexOf(party) + 0.5)) / lanes.length}%`

/** Draws the lanes of a row and its arrow. */
function picture(
  lanes: readonly Party[],
  arrow: StoryArrow | undefined,
  tone: StoryEntry['tone'],
): SafeHtml {
  const lines = lanes.map((party) => {
    const middle = middleOf(party, lanes)
    return html`<line class="life" x1="${middle}" x2="${middle}" y1="0" y2="100%"/>`
  })
  const mark = arrow
    ? arrowPicture(lanes, arrow, tone)
    : html`<circle class="${tone}" cx="${middleOf('gateway', lanes)}" cy="50%" r="3.5"/>`
  return html`<span class="picture">
<svg aria-hidden="true" focusable="false">${lines}${mark}</svg></span>`
}

function arrowPicture(
  lanes: readonly Party[],
  { from, to }: StoryArrow,
  tone: StoryEntry['tone'],
): SafeHtml {
  const start = middleOf(from, lanes)
  const end = middleOf(to, lanes)
  const head = lanes.indexOf(from) < lanes.indexOf(to) ? 'M-8-4.5 0 0-8 4.5Z' : 'M8-4.5 0 0 8 4.5Z'
  return html`<line class="${tone}" x1="${start}" x2="${end}" y1="50%" y2="50%"/>
<svg x="${end}" y="50%" overflow="visible"><path class="${tone}" d="${head}"/></svg>`
}

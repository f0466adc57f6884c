import { durationText } from '../../domain/duration-text.ts'
import type { Party, StoryArrow, StoryEntry } from '../../serializers/story/entries.ts'
import { wireTime } from '../../serializers/time.ts'
import { html, type SafeHtml } from './html.ts'

/** Milliseconds without an event from which the diagram marks the gap (our decision). */
const GAP_MS = 5_000

/** Lanes of the diagram, in order. Webhooks lead to the shop. */
const LANES = ['payer', 'shop', 'gateway', 'bank'] as const

type Lane = (typeof LANES)[number]

const getLane = (party: Party): Lane => (party === 'receiver' ? 'shop' : party)

const NAMES: Readonly<Record<Lane, string>> = {
  payer: 'Payer',
  shop: 'Shop',
  gateway: 'Gateway',
  bank: 'Bank',
}

/** Returns the address of an entry's details; null if there is no such page. */
export type LinkOf = (of: NonNullable<StoryEntry['of']>) => string | null

/**
 * Renders a sequence diagram: a lane for each party, an arrow for each request, question, redirect
 * and webhook. Each row opens its details. The text alternative has the same content.
 * @param every gives each entry its own row; else minor steps and repetitions are folded
 */
export function sequenceDiagram(
  entries: readonly StoryEntry[],
  getLink: LinkOf,
  every = false,
): SafeHtml {
  const rows = every ? entries.map((entry): Row => [entry]) : groupEntries(entries)
  const start = entries[0]?.at ?? 0
  return html`<ol class="sequence">
<li class="lanes" aria-hidden="true"><time>${entries[0] && wireTime(start).slice(11, 19)}</time>${LANES.map(
    (lane) => html`<span>${NAMES[lane]}</span>`,
  )}</li>
${rows.map((row, at) => [
  gapBefore(row, rows[at - 1]),
  html`<li>${rowHtml(row, start, getLink)}</li>
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
    // Retries with one result are one row, however long the pauses and clock changes between them.
    const repeated =
      entry.arrow?.to === 'receiver' ? rows.findLastIndex(([{ arrow }]) => arrow) : -1
    const isRepeat = isSame(entry.arrow, rows[repeated]?.[0].arrow)
    const place = isRepeat ? repeated : rows.length - 1
    const row = rows[place]
    if (row && (isRepeat || isTogether(row, entry))) rows[place] = [...row, entry]
    else rows.push([entry])
  }
  return rows
}

function isTogether(row: Row, { at, arrow, isPlumbing, kind }: StoryEntry): boolean {
  // Clock changes that follow each other are one thin line.
  if (kind === 'clock' && row[0].kind === kind) return true
  if (at - (row.at(-1) ?? row[0]).at >= GAP_MS) return false
  return isPlumbing === true || (arrow !== undefined && isSame(arrow, row[0].arrow))
}

/** Names an arrow without the number of its attempt. */
const getLabel = ({ label }: StoryArrow): string => label.replace(/, attempt \d+$/, '')

const isSame = (one: StoryArrow | undefined, other: StoryArrow | undefined): boolean =>
  one !== undefined &&
  one.from === other?.from &&
  one.to === other.to &&
  getLabel(one) === getLabel(other) &&
  one.result === other.result

function gapBefore([{ at }]: Row, before: Row | undefined): SafeHtml | null {
  const last = before?.at(-1)
  if (last === undefined || at - last.at < GAP_MS) return null
  const day = wireTime(at).slice(0, 10)
  const newDay = day === wireTime(last.at).slice(0, 10) ? null : `, ${day}`
  return html`<li class="gap">${durationText(at - last.at)} later${newDay}</li>
`
}

function rowHtml(row: Row, start: number, getLink: LinkOf): SafeHtml {
  const [entry] = row
  const { at, tone, arrow } = entry
  const times = arrow ? row.filter((each) => isSame(each.arrow, arrow)).length : 1
  const name = arrow ? (times > 1 ? getLabel(arrow) : arrow.label) : entry.title
  const what = `${name}${times > 1 ? ` ×${times}` : ''}`
  const result = arrow?.result && html`<small class="${tone}">${arrow.result}</small>`
  return html`<details${entry.isPlumbing ? html` class="plumbing"` : null}>
<summary><time datetime="${wireTime(at)}" data-exact title="${wireTime(at)}">${sinceStart(at, start)}</time>
<span class="${tone} ${getPlace(arrow)}">${
    arrow &&
    html`<span class="unseen">${NAMES[getLane(arrow.from)]} to ${NAMES[getLane(arrow.to)]}: </span>`
  }<span>${what}</span> ${result}</span></summary>
<div class="contents">${row.map((each) => renderContents(each, getLink))}</div></details>`
}

/** Formats the time since the first event, or the time of the day if it is more than an hour. */
const sinceStart = (at: number, start: number): string =>
  at - start < MINUTE_MS
    ? `+${((at - start) / 1_000).toFixed(1)} s`
    : at - start < HOUR_MS
      ? `+${durationText(at - start)}`
      : wireTime(at).slice(11, 19)

const [MINUTE_MS, HOUR_MS] = [60_000, 3_600_000]

/** Returns the classes of an arrow's place and direction; without an arrow it is the gateway's. */
function getPlace(arrow: StoryArrow | undefined): string {
  if (!arrow) return 'step'
  const [from, to] = [arrow.from, arrow.to].map((party) => LANES.indexOf(getLane(party)) + 1)
  return from === to || from === undefined || to === undefined
    ? 'step'
    : `arrow f${Math.min(from, to)}t${Math.max(from, to)} ${from < to ? 'ltr' : 'rtl'}`
}

/** Details of an entry that are shown next to each other, with their titles. */
const MESSAGES: Readonly<Record<string, string>> = { sent: 'Request', answered: 'Answer' }

function renderContents({ kind, title, says, details, of }: StoryEntry, getLink: LinkOf): SafeHtml {
  const to = of ? getLink(of) : null
  const facts = details.filter(({ name }) => !(name in MESSAGES))
  const messages = details.filter(({ name }) => name in MESSAGES)
  return html`<p><span class="kind">${kind}</span> <b>${title}</b>${to && html` <a href="${to}">all of it</a>`}</p>
${says && html`<p>${says}</p>`}
${
  facts.length > 0
    ? html`<dl>${facts.map(
        ({ name, text }) =>
          html`<dt>${name}</dt><dd>${
            text.includes('\n') ? html`<pre tabindex="0">${text}</pre>` : text
          }</dd>`,
      )}</dl>`
    : null
}
${
  messages.length > 0
    ? html`<div class="sides">${messages.map(
        ({
          name,
          text,
        }) => html`<section class="msg"><header><strong>${MESSAGES[name]}</strong></header>
<div class="code"><pre tabindex="0">${text}</pre></div></section>`,
      )}</div>`
    : null
}`
}

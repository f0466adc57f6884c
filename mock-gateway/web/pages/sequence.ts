import { formatDuration } from '../../domain/duration-text.ts'
import type { Party, PhaseName, StoryArrow, StoryEntry } from '../../serializers/story/entries.ts'
import type { Story } from '../../serializers/story/story.ts'
import { formatWireTime } from '../../serializers/time.ts'
import { withCode } from './breaks.ts'
import { html, type SafeHtml } from './html.ts'
import { renderCodeBlock, renderMessage, renderSideBySide } from './messages.ts'

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
type LinkOf = (of: NonNullable<StoryEntry['of']>) => string | null

/**
 * Renders a sequence diagram: a heading for each phase, a lane for each party, an arrow for each
 * request, question, redirect and webhook. Each row opens its details. The text alternative has the
 * same content.
 * @param getLink for the console, where one row is open and equal events are one; undefined for the
 *   file, where all rows are closed and have every event
 * @param every gives each entry its own row; else minor steps and repetitions are folded
 */
export function renderSequenceDiagram(
  { entries, names }: Pick<Story, 'entries' | 'names'>,
  getLink?: LinkOf,
  every = false,
): SafeHtml {
  const start = entries[0]?.at ?? 0
  const deciding = getLink && findDecidingEntry(entries)
  let before: StoryEntry | undefined
  return html`<div class="sequence">
<div class="lanes" aria-hidden="true"><span></span>${LANES.map(
    (lane) => html`<span>${NAMES[lane]}<small>${names[lane]}</small></span>`,
  )}</div>
${splitIntoPhases(entries).map((phase) => {
  const rows = every ? phase.entries.map((entry): Row => [entry]) : groupEntries(phase.entries)
  return html`<h3 class="phase">${phase.name} <span class="quiet">${describePhase(phase)}</span></h3>
<ol class="steps">${rows.map((row) => {
    const gap = renderGap(row[0], before)
    before = row.at(-1)
    const isOpen = row.some((each) => each === deciding)
    return html`${gap}<li>${renderRow(row, { start, getLink, isOpen })}</li>
`
  })}</ol>`
})}</div>`
}

/** Finds the entry that explains the result: the last failure; without one, the first request. */
function findDecidingEntry(entries: readonly StoryEntry[]): StoryEntry | undefined {
  const arrows = entries.filter(({ arrow }) => arrow)
  return (
    arrows.findLast(
      ({ kind, tone }) =>
        (tone === 'bad' && kind !== 'request') || (tone === 'waiting' && kind === 'webhook'),
    ) ?? arrows[0]
  )
}

/** A part of a payment. Another attempt of the payer starts with a phase of its own. */
interface StoryPhase {
  readonly name: PhaseName
  readonly entries: readonly [StoryEntry, ...StoryEntry[]]
}

/** Splits a story into its phases. */
function splitIntoPhases(entries: readonly StoryEntry[]): readonly StoryPhase[] {
  const phases: StoryPhase[] = []
  for (const [at, entry] of entries.entries()) {
    const last = phases.at(-1)
    const name = findPhase(entry, last?.name ?? 'Order', entries.slice(at + 1))
    if (last?.name === name) phases[phases.length - 1] = { name, entries: [...last.entries, entry] }
    else phases.push({ name, entries: [entry] })
  }
  return phases
}

/** Finds the phase that an entry of the timeline belongs to. @param later the entries after it */
function findPhase(entry: StoryEntry, current: PhaseName, later: readonly StoryEntry[]): PhaseName {
  if (entry.phase) return entry.phase
  if (!isCall(entry) || current === 'Order') return current
  // A request that leads to another question to the bank is the order of a new attempt.
  const next = later.findIndex(isCall)
  const caused = next < 0 ? later : later.slice(0, next)
  if (caused.some(({ phase }) => phase && phase !== 'Result' && phase !== 'Refund')) return 'Order'
  return current === '3-D Secure' ? current : 'Result'
}

const isCall = ({ kind, isPlumbing }: StoryEntry): boolean => kind === 'request' && !isPlumbing

/** Describes when a phase started, or how long the payer was at the bank. */
function describePhase({ name, entries }: StoryPhase): string | null {
  const [first] = entries
  if (name === 'Order') return formatWireTime(first.at).slice(11, 19)
  const answer = entries.findLast(({ arrow }) => arrow?.from === 'bank')
  const duration = (answer?.at ?? first.at) - first.at
  return name === '3-D Secure' && duration >= 1_000
    ? `${formatDuration(duration)} at the bank`
    : null
}

/** Entries in one row: the first is the visible one. */
type Row = readonly [StoryEntry, ...StoryEntry[]]

/**
 * Folds steps inside the gateway into the row next to them, and arrows that repeat an arrow before
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
    if (!row || !(isRepeat || isTogether(row, entry))) rows.push([entry])
    // A visible entry leads the minor steps before it.
    else rows[place] = row[0].isPlumbing && !entry.isPlumbing ? [entry, ...row] : [...row, entry]
  }
  return rows
}

function isTogether(row: Row, { at, arrow, isPlumbing, kind }: StoryEntry): boolean {
  // Clock changes that follow each other are one thin line.
  if (kind === 'clock' && row[0].kind === kind) return true
  if (at - (row.at(-1) ?? row[0]).at >= GAP_MS) return false
  return isPlumbing || row[0].isPlumbing || isSame(arrow, row[0].arrow)
}

/** Names an arrow without the number of its attempt. */
const getLabel = ({ label }: StoryArrow): string => label.replace(/, attempt \d+$/, '')

const isSame = (one: StoryArrow | undefined, other: StoryArrow | undefined): boolean =>
  one !== undefined &&
  one.from === other?.from &&
  one.to === other.to &&
  getLabel(one) === getLabel(other) &&
  one.result === other.result

/** Renders the pause before an entry. */
function renderGap({ at }: StoryEntry, before: StoryEntry | undefined): SafeHtml | null {
  if (before === undefined || at - before.at < GAP_MS) return null
  const day = formatWireTime(at).slice(0, 10)
  const newDay = day === formatWireTime(before.at).slice(0, 10) ? null : `, ${day}`
  return html`<li class="gap quiet">${formatDuration(at - before.at)} later${newDay}</li>
`
}

interface ShownRow {
  readonly start: number
  readonly getLink: LinkOf | undefined
  readonly isOpen: boolean
}

function renderRow(row: Row, { start, getLink, isOpen }: ShownRow): SafeHtml {
  const [entry] = row
  const { at, arrow } = entry
  const equal = arrow ? row.filter((each) => isSame(each.arrow, arrow)) : [entry]
  const last = equal.at(-1) ?? entry
  const times = equal.length > 1 ? ` ×${equal.length}` : null
  const result = [last.arrow?.result, last.arrow?.note].filter(Boolean).join(' ')
  // Every request shows the others.
  const shown = getLink ? [last] : equal
  const minor = row.filter((each) => !equal.includes(each))
  return html`<details${entry.isPlumbing ? html` class="plumbing"` : null}${isOpen ? html` open` : null}>
<summary><time class="quiet number" datetime="${formatWireTime(at)}" data-exact title="${formatWireTime(at)}">${sinceStart(at, start)}</time>
<span class="${isProgress(last) ? null : last.tone} ${getPlace(arrow)}">${
    arrow &&
    html`<span class="unseen">${NAMES[getLane(arrow.from)]} to ${getLane(arrow.to)} </span>`
  }<span>${arrow ? (times ? getLabel(arrow) : arrow.label) : entry.title}${times}</span>
${result && html`<small>${result}</small>`}</span></summary>
<div class="contents">${shown.map((each) => renderContents(each, getLink, each === last ? minor : []))}</div></details>`
}

/** Returns whether an entry is only a step on the way to a result, and so has no colour. */
const isProgress = ({ kind, tone }: StoryEntry): boolean =>
  (kind === 'request' && tone === 'good') || (kind === '3-D Secure' && tone === 'waiting')

/**
 * Formats the time since the first event: `+0.4 s`, `+1:24`; the time of the day if it is more than
 * an hour.
 */
const sinceStart = (at: number, start: number): string =>
  at - start < MINUTE_MS
    ? `+${((at - start) / 1_000).toFixed(1)} s`
    : at - start < HOUR_MS
      ? `+${formatWireTime(at - start)
          .slice(14, 19)
          .replace(/^0/, '')}`
      : formatWireTime(at).slice(11, 19)

const [MINUTE_MS, HOUR_MS] = [60_000, 3_600_000]

/** Returns the classes of an arrow's place and direction; without an arrow it is the gateway's. */
function getPlace(arrow: StoryArrow | undefined): string {
  if (!arrow) return 'step'
  const [from, to] = [arrow.from, arrow.to].map((party) => LANES.indexOf(getLane(party)) + 1)
  return from === to || from === undefined || to === undefined
    ? 'step'
    : `arrow f${Math.min(from, to)}t${Math.max(from, to)} ${from < to ? 'ltr' : 'rtl'}`
}

/** Names of the pages with all data of an entry. */
const PAGES = { requests: 'request', webhooks: 'webhook' } as const

/**
 * Renders the title and explanation of an entry, its request and its answer.
 * @param minor less important entries of its row, which are folded with its facts; undefined: the
 *   facts are not folded
 */
function renderContents(
  { kind, title, says, details, of, arrow, tone }: StoryEntry,
  getLink?: LinkOf,
  minor?: readonly StoryEntry[],
): SafeHtml {
  const to = of && getLink?.(of)
  const findText = (wanted: string) => details.find(({ name }) => name === wanted)?.text
  const [sent, answered] = [findText('sent'), findText('answered')]
  // The box of a request has the title and the link.
  const isTitled = kind === 'request' && sent !== undefined
  const open =
    of &&
    to &&
    html`<a href="${to}">Open<span${isTitled ? html` class="unseen"` : null}> the ${PAGES[of.what]}</span></a>`
  const request =
    sent &&
    renderMessage(isTitled ? { title, note: open, text: sent } : { title: 'Request', text: sent })
  const result = arrow?.result
  const answer =
    answered &&
    renderMessage({
      title: result ? html`<span class="is ${tone}">${result}</span>` : 'Answer',
      note: result && 'answer',
      text: answered,
    })
  const facts = renderFacts(details)
  const isFolded = minor !== undefined && Boolean(says || request || answer)
  // One link leads to the page of the row.
  const others = (minor ?? []).map((each) =>
    renderContents(each, each.of?.id === of?.id ? undefined : getLink),
  )
  const folded = isFolded && facts ? [facts, ...others] : others
  return html`${isTitled ? null : html`<p><b>${title}</b> ${open}</p>`}
${says && html`<p>${withCode(says)}</p>`}
${(request || answer) && renderSideBySide(request, answer)}
${isFolded ? null : facts}
${folded.length > 0 ? html`<details><summary>Details</summary>${folded}</details>` : null}`
}

/** Details that are not among the facts: the boxes, and the status, which the row has. */
const SHOWN = ['sent', 'answered', 'answer']

function renderFacts(details: StoryEntry['details']): SafeHtml | null {
  const facts = details.filter(({ name }) => !SHOWN.includes(name))
  return facts.length === 0
    ? null
    : html`<dl>${facts.map(
        ({ name, text }) =>
          html`<dt>${name}</dt><dd>${text.includes('\n') ? renderCodeBlock(text) : text}</dd>`,
      )}</dl>`
}

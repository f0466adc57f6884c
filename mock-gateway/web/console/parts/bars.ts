import { html, type SafeHtml } from '../../pages/html.ts'

export interface Bar {
  /** For example a day. */
  readonly name: string
  /** Short name below the column. */
  readonly label: string
  /** Address of its list. */
  readonly to: string
  readonly good: number
  readonly bad: number
  /** The column contains the current time. */
  readonly isNow: boolean
}

const [WIDTH, HEIGHT, BELOW] = [640, 150, 30]

/** Width of the axis, right of the columns. */
const AXIS = 36

const LABELS = 12

/** Draws stacked columns of approved and declined payments, each a link to its list. */
export function renderBarChart(bars: readonly Bar[]): SafeHtml {
  const highest = Math.max(1, ...bars.map(({ good, bad }) => good + bad))
  const unit = findUnit(highest)
  const marks = Array.from({ length: Math.floor(highest / unit) + 1 }, (_, at) => (at + 1) * unit)
  const step = (WIDTH - AXIS) / bars.length
  const high = (count: number) => (count * (HEIGHT - 18)) / (marks.at(-1) ?? 1)
  const every = Math.ceil(bars.length / LABELS)
  const total = (part: 'good' | 'bad') => bars.reduce((sum, bar) => sum + bar[part], 0)
  const lines = marks.map((count) => {
    const y = HEIGHT - high(count)
    return html`<line x1="0" x2="${WIDTH}" y1="${y}" y2="${y}"/><text x="${WIDTH}" y="${y - 4}" text-anchor="end">${count}</text>`
  })
  return html`<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT + BELOW}" role="group" aria-label="${total('good')} approved, ${total('bad')} declined">
${lines}<line x1="0" x2="${WIDTH}" y1="${HEIGHT}" y2="${HEIGHT}"/>
${bars.map(({ name, label, to, good, bad, isNow }, at) => {
  const x = (at + 0.12) * step
  const width = step * 0.7
  const top = HEIGHT - high(good)
  return html`<a href="${to}" tabindex="-1"><title>${name}: ${good} approved, ${bad} declined</title>
<rect class="ground" x="${at * step}" y="0" width="${step}" height="${HEIGHT}"/>
${good > 0 ? html`<rect class="${isNow ? 'now' : null}" x="${x}" y="${top}" width="${width}" height="${high(good)}" rx="2"/>` : null}
${bad > 0 ? html`<rect class="bad" x="${x}" y="${top - high(bad) - (good > 0 ? 2 : 0)}" width="${width}" height="${high(bad)}" rx="2"/>` : null}</a>
${(bars.length - 1 - at) % every === 0 ? html`<text x="${x + width / 2}" y="${HEIGHT + 20}" text-anchor="middle">${label}</text>` : null}`
})}</svg>`
}

/** Finds the distance of the lines, 1, 2 or 5 times a power of ten: at most four lines. */
function findUnit(highest: number, power = 1): number {
  const unit = [1, 2, 5].find((each) => highest < each * power * 4)
  return unit === undefined ? findUnit(highest, power * 10) : unit * power
}

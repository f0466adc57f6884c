import { durationText } from '../../../domain/duration-text.ts'
import { html, type SafeHtml } from '../../pages/html.ts'

/** An attempt on the line of time. */
export interface Try {
  /** Epoch milliseconds. */
  readonly at: number
  readonly tone: 'good' | 'bad' | 'planned'
  readonly what: string
}

/** Labels of the axis, in milliseconds. */
const MARKS = {
  '1 min': 60_000,
  '10 min': 600_000,
  '1 h': 3_600_000,
  '6 h': 21_600_000,
  '1 day': 86_400_000,
} as const

/** Smallest distance that the axis tells apart, in milliseconds. */
const FINE = 15_000

/** Draws attempts from left to right; the later, the more time a step has. */
export function attemptLine(tries: readonly Try[]): SafeHtml | null {
  const [first] = tries
  const last = tries.at(-1)
  if (!first || !last || last.at <= first.at) return null
  const whole = last.at - first.at
  const placeOf = (since: number) =>
    8 + (984 * Math.log(1 + since / FINE)) / Math.log(1 + whole / FINE)
  const marks = Object.entries(MARKS).filter(([, since]) => {
    const place = placeOf(since)
    return place > 100 && place < 900
  })
  const counts = Object.entries(Object.groupBy(tries, ({ tone }) => tone)).map(
    ([tone, some]) => `${some?.length} ${TONES[tone]}`,
  )
  const label = (place: number, text: string, anchor: string, isMiddle = false) =>
    html`<text${isMiddle ? html` class="mid"` : null} x="${place}" y="58" text-anchor="${anchor}">${text}</text>`
  return html`<figure class="tries"><svg viewBox="0 0 1000 66" role="img" aria-label="Line of time, ${durationText(whole)}: ${counts.join(', ')}">
<line x1="8" x2="992" y1="14" y2="14"/>${tries.map(
    ({ at, tone, what }) =>
      html`<circle class="${tone}" cx="${placeOf(at - first.at).toFixed(1)}" cy="14" r="5"><title>${what}</title></circle>`,
  )}
${label(8, 'at once', 'start')}${marks.map(([text, since], index) => label(placeOf(since), text, 'middle', index % 2 === 0))}${label(992, durationText(whole), 'end')}</svg></figure>`
}

const TONES: Readonly<Record<string, string>> = {
  good: 'delivered',
  bad: 'failed',
  planned: 'planned',
}

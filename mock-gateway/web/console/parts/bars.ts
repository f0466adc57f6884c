import { html, type SafeHtml } from '../../pages/html.ts'

/** One column of a chart. */
export interface Bar {
  /** For example a day. */
  readonly name: string
  /** Address of its list. */
  readonly to: string
  readonly parts: Readonly<Record<BarPart, number>>
}

type BarPart = 'good' | 'waiting' | 'bad'

const PARTS: readonly BarPart[] = ['good', 'waiting', 'bad']

/**
 * Draws stacked columns, each a link to its list, and the same numbers as a table.
 * @param names the meaning of each part of a column
 */
export function barChart(
  title: string,
  bars: readonly Bar[],
  names: Readonly<Record<BarPart, string>>,
): SafeHtml {
  const highest = Math.max(1, ...bars.map(sumOf))
  const [first, last] = [bars[0], bars.at(-1)]
  const width = 100 / bars.length
  const columns = bars.map((bar, at) => columnOf(bar, at * width, width, highest))
  const legend = PARTS.map((part) => html`<span class="legend ${part}">${names[part]}</span>`)
  return html`<figure class="chart"><figcaption>${title} ${legend}</figcaption>
<p class="scale quiet" aria-hidden="true"><span>${highest}</span><span>0</span></p>
<svg aria-hidden="true" focusable="false">${columns}</svg>
<p class="axis quiet" aria-hidden="true"><span>${first?.name}</span><span>${last?.name}</span></p>
<details><summary>As a table</summary><div class="wide"><table>
<thead><tr>
<th scope="col">When</th>${PARTS.map((part) => html`<th scope="col">${names[part]}</th>`)}
</tr></thead>
<tbody>${bars
    .filter((bar) => sumOf(bar) > 0)
    .map(
      ({ name, to, parts }) => html`<tr>
<td data-head="When"><a href="${to}">${name}</a></td>
${PARTS.map((part) => html`<td data-head="${names[part]}">${parts[part]}</td>`)}</tr>`,
    )}</tbody>
</table></div></details></figure>`
}

const sumOf = ({ parts }: Bar): number => PARTS.reduce((sum, part) => sum + parts[part], 0)

/** Draws a column. Positions are percentages, so that a chart is as wide as its place. */
function columnOf(bar: Bar, left: number, width: number, highest: number): SafeHtml {
  let below = 0
  const rects = PARTS.map((part) => {
    const height = (100 * bar.parts[part]) / highest
    below += height
    return height > 0
      ? html`<rect class="${part}" x="${left + width * 0.12}%" width="${width * 0.76}%"
  y="${100 - below}%" height="${height}%"/>`
      : null
  })
  const text = `${bar.name}: ${PARTS.map((part) => bar.parts[part]).join(' / ')}`
  return html`<a href="${bar.to}" tabindex="-1"><title>${text}</title>
<rect class="ground" x="${left}%" width="${width}%" y="0" height="100%"/>${rects}</a>`
}

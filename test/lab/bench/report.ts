import { median, ratio, type Score } from './compare.ts'

export const print = (line = ''): void => void process.stdout.write(`${line}\n`)

/** Results by the printed names of the servers. */
export interface Scores {
  readonly 'bare Express echo': Score
  readonly 'echo + one committed row': Score
  readonly [name: string]: Score
}

/** Prints a line for each server, with its ratios to both baselines. */
export function printScores(title: string, scores: Scores): void {
  print(`\n${title}`)
  print(
    `  ${''.padEnd(26)}${['requests/s', 'CPU us', 'p50 ms', 'p99 ms', 'to echo', 'to echo+row'].map(cell).join('')}`,
  )
  for (const [name, score] of Object.entries(scores)) {
    const of = (figure: 'perSecond' | 'cpu' | 'p50' | 'p99') =>
      median(score.map((sample) => sample[figure]))
    const ratios = [
      ratio(score, scores['bare Express echo']),
      ratio(score, scores['echo + one committed row']),
    ]
    const cells = [
      of('perSecond').toFixed(0),
      of('cpu').toFixed(0),
      of('p50').toFixed(1),
      of('p99').toFixed(1),
      ...ratios.map((figure) => figure.toFixed(2)),
    ]
    print(`  ${name.padEnd(26)}${cells.map(cell).join('')}`)
  }
}

const cell = (text: string) => text.padStart(13)

/** Limit that a figure must keep. */
export type Limit = { readonly atLeast: number } | { readonly atMost: number }

/** Prints a figure, and whether it keeps its limit. */
export function printFigure(name: string, value: number, unit: string, limit?: Limit): void {
  const text = (figure: number) =>
    `${unit === '' ? figure.toFixed(2) : figure.toFixed(0)}${unit && ` ${unit}`}`
  print(
    `  ${name.padEnd(52)}${text(value).padStart(10)}${limit ? `   ${verdict(value, limit, text)}` : ''}`,
  )
}

function verdict(value: number, limit: Limit, text: (figure: number) => string): string {
  const [isKept, words] =
    'atLeast' in limit
      ? [value >= limit.atLeast, `at least ${text(limit.atLeast)}`]
      : [value <= limit.atMost, `at most ${text(limit.atMost)}`]
  return `limit ${isKept ? 'kept' : 'NOT KEPT'} (${words})`
}

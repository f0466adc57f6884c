import type { Run } from '../runs/run.ts'

/** Maximum length of a line in characters, because answers can be long. */
const WIDTH = 260

/** Formats the report of a failed run: its faults, its events, and the broken rule. */
export function storyOf({ plan, story, violation }: Run): string {
  const { gateways, clients, rates, fixtures } = plan
  const faults = Object.entries(rates).filter(([, rate]) => rate > 0)
  return [
    `seed ${plan.seed} fails: ${violation?.rule}: ${violation?.message}`,
    `  gateways: ${gateways}`,
    `  fixtures: ${fixtures}`,
    `  clients:  ${clients.map(({ name, merchant, turns }) => `${name} of merchant ${merchant}, ${turns} turns`).join('; ')}`,
    `  faults:   ${faults.map(([name, rate]) => `${name} ${rate}`).join(', ') || 'none'}`,
    ...story.map(({ at, who, what }) =>
      `  ${(at / 1000).toFixed(3).padStart(9)} s  ${who}: ${what}`.slice(0, WIDTH),
    ),
  ].join('\n')
}

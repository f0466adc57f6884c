import fc from 'fast-check'
import { Corpus, type Draw, drawsBy } from './corpus.ts'
import type { Drawer, Known, Request } from './fuzz-requests.ts'

/** A draft, and who drew it. */
interface Led {
  readonly by: string
  readonly draft: object
}

/** Drafts of a kind that are drawn at a time. */
const AT_ONCE = 5

/** Share of the requests that follow the last answer. */
const FOLLOWED = 0.3

/** Draws requests, and mutates those further that have reached new code. */
export class Lead {
  readonly #drawers = new Map<string, Drawer>()
  /** Each as often as it weighs. */
  readonly #names: string[] = []
  readonly #drafts = new Map<string, object[]>()
  readonly #corpus: Corpus<Led>
  readonly #draw: Draw
  #ahead: readonly string[] = []
  #seed: number

  /** @param seed the same one makes the same requests, as long as they reach the same */
  constructor(drawers: readonly Drawer[], seed: number) {
    this.#seed = seed
    this.#draw = drawsBy(seed)
    this.add(drawers)
    this.#corpus = new Corpus<Led>(this.#draw, (like) =>
      this.#ledBy(like?.by ?? this.#any(this.#names)),
    )
  }

  add(drawers: readonly Drawer[]): void {
    for (const each of drawers) {
      this.#drawers.set(each.name, each)
      for (let weight = each.weight; weight > 0; weight -= 1) this.#names.push(each.name)
    }
  }

  /** Names that the next draw may follow. */
  follow(names: readonly string[]): void {
    this.#ahead = names
  }

  /** @returns the request, and what keeps it */
  next(known: Known): readonly [request: Request, keep: () => void] {
    const follows = this.#ahead.length > 0 && this.#draw() < FOLLOWED
    const led = follows ? this.#ledBy(this.#any(this.#ahead)) : this.#corpus.next()
    return [this.#drawer(led.by).write(led.draft, known), () => this.#corpus.keep(led)]
  }

  #any(names: readonly string[]): string {
    return names[Math.floor(this.#draw() * names.length)] ?? ''
  }

  #ledBy(by: string): Led {
    return { by, draft: this.#drawn(by) }
  }

  #drawn(by: string): object {
    const ready = this.#drafts.get(by) ?? []
    if (ready.length === 0)
      ready.push(...fc.sample(this.#drawer(by).drafts, { numRuns: AT_ONCE, seed: this.#seed++ }))
    this.#drafts.set(by, ready)
    return ready.pop() ?? {}
  }

  #drawer(name: string): Drawer {
    const drawer = this.#drawers.get(name)
    if (!drawer) throw new TypeError(`nobody draws ${name}`)
    return drawer
  }
}

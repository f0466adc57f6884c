import fc from 'fast-check'
import { Corpus, type Draw, drawsBy } from './corpus.ts'
import type { Drawer, Known, Request } from './fuzz-requests.ts'

/** Draft with its generator. */
interface Led {
  readonly by: string
  readonly draft: object
}

/** Number of drafts of one kind that are drawn at a time. */
const AT_ONCE = 5

/** Share of requests that follow a link or form of the last answer. */
const FOLLOWED = 0.3

/** Generator of requests that also mutates requests that reached new code. */
export class Lead {
  readonly #drawers = new Map<string, Drawer>()
  /** Names of the generators, each as often as its weight. */
  readonly #names: string[] = []
  readonly #drafts = new Map<string, object[]>()
  readonly #corpus: Corpus<Led>
  readonly #draw: Draw
  #ahead: readonly string[] = []
  #seed: number

  /** @param seed the same seed gives the same requests, as long as they reach the same code */
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

  /** Sets the links and forms that the next request can follow. */
  follow(names: readonly string[]): void {
    this.#ahead = names
  }

  /**
   * Draws the next request.
   * @returns the request, and a function that stores its draft
   */
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

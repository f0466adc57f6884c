import fc from 'fast-check'
import { Corpus, drawsBy } from './corpus.ts'
import type { Drawer, Known, Request } from './fuzz-requests.ts'

/** A draft, and who drew it. */
interface Led {
  readonly by: string
  readonly draft: object
}

/** Drafts of a kind that are drawn at a time. */
const AT_ONCE = 5

/** Draws requests, and those again, bent further, that have reached something new. */
export class Lead {
  readonly #drawers: ReadonlyMap<string, Drawer>
  readonly #drafts = new Map<string, object[]>()
  readonly #corpus: Corpus<Led>
  #seed: number

  /** @param seed the same one makes the same requests, as long as they reach the same */
  constructor(drawers: readonly Drawer[], seed: number) {
    this.#seed = seed
    this.#drawers = new Map(drawers.map((each) => [each.name, each]))
    const names = drawers.flatMap(({ name, weight }) => Array.from({ length: weight }, () => name))
    const draw = drawsBy(seed)
    const any = () => names[Math.floor(draw() * names.length)] ?? ''
    this.#corpus = new Corpus<Led>(draw, (like) => {
      const by = like?.by ?? any()
      return { by, draft: this.#drawn(by) }
    })
  }

  /** @returns the request, and what keeps it */
  next(known: Known): readonly [request: Request, keep: () => void] {
    const led = this.#corpus.next()
    return [this.#drawer(led.by).write(led.draft, known), () => this.#corpus.keep(led)]
  }

  #drawn(by: string): object {
    const ready = this.#drafts.get(by) ?? []
    if (ready.length === 0) ready.push(...fc.sample(this.#drawer(by).drafts, { numRuns: AT_ONCE, seed: this.#seed++ }))
    this.#drafts.set(by, ready)
    return ready.pop() ?? {}
  }

  #drawer(name: string): Drawer {
    const drawer = this.#drawers.get(name)
    if (!drawer) throw new TypeError(`nobody draws ${name}`)
    return drawer
  }
}

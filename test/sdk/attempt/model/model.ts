import { ANSWERS, type Answer, type Fate } from './answers.ts'

/*
 * Model of the library's behaviour, written independently of it: without promises, as a list of
 * events and their results. It shares no code with the library. An attempt ends everything that it
 * started: later events have no effect.
 */

/**
 * Time limits in milliseconds. They are shorter than usual, because most of the time of a run is
 * waiting.
 */
export const TIMEOUTS = {
  before: 3_000,
  request: 6_000,
  status: 2_000,
  statusRetry: 1_000,
  leave: 2_500,
  mpi: 20_000,
  closeGrace: 1_500,
  closePoll: 500,
}

/** Settings of a page, which do not change while the page exists. */
export interface Setting {
  readonly type: 'ajax' | 'form'
  readonly mpi: 'none' | 'auto' | 'popup' | 'iframe' | 'redirect'
}

/** Action of the page's handler of `payment:before`. */
export type Before = 'go on' | 'return false' | 'prevent' | 'throw' | 'wait'

/** Action that a page's handler takes once. */
export type Deed = 'abort' | 'submit' | 'destroy' | 'reset' | 'throw' | 'prevent' | 'retry'

/** Events of a session, one after the other. */
export type Move =
  | {
      readonly do: 'submit' | 'press' | 'abort' | 'destroy' | 'reset' | 'come back' | 'shut window'
    }
  | { readonly do: 'click'; readonly button: 'open' | 'cancel' }
  | { readonly do: 'before'; readonly answers: Before }
  | { readonly do: 'settle'; readonly with: 'true' | 'false' | 'error' }
  | { readonly do: 'fill' | 'block'; readonly well: boolean }
  | { readonly do: 'plan'; readonly at: string; readonly deed: Deed }
  | { readonly do: 'answer'; readonly nth: number; readonly to: Readonly<Record<Asked, string>> }
  | { readonly do: 'break'; readonly nth: number }
  | { readonly do: 'message'; readonly says: string }
  | { readonly do: 'forbid'; readonly directive: Directive }
  | { readonly do: 'pass'; readonly milliseconds: number }

export type Asked = 'pay' | 'ask' | 'look' | 'script'
export type Directive = 'connect-src' | 'form-action' | 'frame-src'

/** Part of the model that ends everything that it started when it ends. */
interface Owner {
  over: boolean
}

interface Attempt extends Owner {
  sent?: { form: boolean; mpi: boolean } | undefined
  renewed?: true
  visited?: true
  forbidden?: number
  banks: Bank[]
  bank?: Bank | undefined
  settleBefore?: (gives: 'true' | 'false' | 'error') => void
}

interface Bank extends Owner {
  of: Attempt
  mayOpen: boolean
  view?: 'popup' | 'iframe' | undefined
  panel?: 'waiting' | 'blocked' | undefined
  isShut?: true
  isGone?: true
  posted?: true
  isHeard?: true
  misses: number
  stopped(code: string): void
  retry?: () => void
}

interface Request {
  readonly asked: Asked
  readonly owner: Owner
  readonly since: number
  readonly heard: (answer: Answer | 'broken' | 'late') => void
}

const BUSY = ['before', 'encrypting', 'mpi', 'sending']
const isFate = (found: unknown): found is Fate => !!found && found !== 'no such attempt'
const isSettled = (found: unknown): found is Fate =>
  isFate(found) && found !== 'pending' && found !== 'page'

export class Model {
  readonly setting: Setting
  log: string[] = []
  state = 'idle'
  #now = 0
  #isPassing = false
  #waiting: { owner: Owner; run(): void }[] = []
  #isDestroyed = false
  #isFilled = true
  #isBlocking = false
  #before: Before = 'go on'
  #plans: { at: string; deed: Deed }[] = []
  #attempt: Attempt | undefined
  #requests: Request[] = []
  #timers: { at: number; owner: Owner; run(): void }[] = []

  constructor(setting: Setting) {
    this.setting = setting
  }

  /** Visible state of the page. */
  get sight(): string {
    const banks = (this.#attempt?.banks ?? []).filter(({ over }) => !over)
    const views = banks.flatMap(({ view, isShut }) => (view && !isShut ? view : []))
    return [
      this.#isDestroyed ? '' : this.state,
      ...views,
      ...banks.flatMap(({ panel }) => panel ?? []),
    ].join(', ')
  }

  /** Requests that wait for an answer. */
  get asked(): Asked[] {
    return this.#open().map(({ asked }) => asked)
  }

  #open(): Request[] {
    this.#requests = this.#requests.filter(({ owner }) => !owner.over)
    return this.#requests
  }

  play(move: Move): void {
    const play = this.#moves[move.do] as (move: Move, attempt?: Attempt, bank?: Bank) => void
    const attempt = this.#attempt?.over ? undefined : this.#attempt
    play(
      move,
      attempt,
      attempt?.banks.findLast(({ over }) => !over),
    )
    this.#flush()
    this.#pass(1)
  }

  /** Effect of each event on the attempt and the bank's page. */
  readonly #moves: {
    [Does in Move['do']]: (
      move: Extract<Move, { do: Does }>,
      attempt?: Attempt,
      bank?: Bank,
    ) => void
  } = {
    press: () => this.#isFilled && this.#submit(),
    submit: () => this.#submit(),
    abort: () => this.#abort(),
    destroy: () => this.#destroy(),
    reset: () => this.#reset(),
    'come back': (_move, attempt) => attempt && this.#comeBack(attempt),
    'shut window': (_move, _attempt, bank) => {
      if (bank?.view === 'popup') bank.isShut = true
    },
    click: ({ button }, _attempt, bank) => {
      if (!bank?.panel) return
      if (button === 'cancel') this.#stop(bank, 'cancelled', 'mpi.closed')
      else if (bank.panel === 'blocked') bank.retry?.()
    },
    before: ({ answers }) => {
      this.#before = answers
    },
    settle: (move, attempt) => attempt?.settleBefore?.(move.with),
    fill: ({ well }) => {
      this.#isFilled = well
    },
    block: ({ well }) => {
      this.#isBlocking = well
    },
    plan: (plan) => {
      this.#plans.push(plan)
    },
    answer: ({ nth, to }) => {
      const request = this.#take(nth)
      request?.heard(ANSWERS[to[request.asked]] as Answer)
    },
    break: ({ nth }) => this.#take(nth)?.heard('broken'),
    message: ({ says }, _attempt, bank) => {
      if (bank?.isHeard) this.#hear(bank, ANSWERS[says]?.looked, true)
    },
    forbid: ({ directive }, attempt, bank) => attempt && this.#forbid(attempt, bank, directive),
    pass: ({ milliseconds }) => this.#pass(milliseconds),
  }

  #take(nth: number): Request | undefined {
    const open = this.#open()
    return open.splice(nth % (open.length || 1), 1)[0]
  }

  #pass(milliseconds: number): void {
    const until = this.#now + milliseconds
    this.#isPassing = true
    for (;;) {
      this.#timers = this.#timers.filter(({ owner }) => !owner.over)
      const due = Math.min(...this.#timers.map(({ at }) => at))
      if (due > until) break
      const [next] = this.#timers.splice(
        this.#timers.findIndex(({ at }) => at === due),
        1,
      )
      this.#now = due
      next?.run()
      this.#flush()
    }
    this.#now = until
    this.#isPassing = false
  }

  #after(milliseconds: number, owner: Owner, run: () => void): void {
    // A timer of 0 milliseconds that is set while timers fire does not fire at the same time.
    this.#timers.push({ at: this.#now + (milliseconds || Number(this.#isPassing)), owner, run })
  }

  /** Runs a function when all current work has finished. */
  #soon(owner: Owner, run: () => void): void {
    this.#waiting.push({ owner, run })
  }

  #flush(): void {
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift())
      if (!next.owner.over) next.run()
  }

  #ask(asked: Asked, owner: Owner, milliseconds: number, heard: Request['heard']): void {
    this.log.push(asked)
    const request = { asked, owner, since: this.#now, heard }
    this.#requests.push(request)
    this.#after(milliseconds, owner, () => {
      if (!this.#requests.includes(request)) return
      this.#requests.splice(this.#requests.indexOf(request), 1)
      heard('late')
    })
  }

  /**
   * Fires an event.
   * @returns the action of the page's handler
   */
  #emit(event: string): Deed | undefined {
    this.log.push(event)
    const planned = this.#plans.findIndex(({ at }) => event.startsWith(at))
    if (planned < 0) return undefined
    const deed = this.#plans.splice(planned, 1)[0]?.deed
    if (deed === 'abort') this.#abort()
    if (deed === 'submit') this.#submit()
    if (deed === 'destroy') this.#destroy()
    if (deed === 'reset') this.#reset()
    if (deed === 'retry') this.#attempt?.bank?.retry?.()
    return deed
  }

  #go(to: string): void {
    this.state = to
    this.#emit(`state ${to}`)
  }

  #submit(): void {
    if (this.#isDestroyed || BUSY.includes(this.state) || this.state === 'success') return
    const attempt: Attempt = { over: false, banks: [] }
    this.#attempt = attempt
    this.#go('before')
    if (attempt.over) return
    const deed = this.#emit('before')
    if (attempt.over) return
    const answers = deed === 'throw' || deed === 'prevent' ? deed : this.#before
    if (answers === 'throw') this.#fail(attempt, 'integration.before')
    else if (answers === 'go on') this.#pay(attempt)
    else if (answers === 'wait') this.#wait(attempt)
    else this.#end(attempt, 'idle')
  }

  #wait(attempt: Attempt): void {
    const opensAtOnce = this.setting.mpi === 'auto' || this.setting.mpi === 'popup'
    if (this.setting.type === 'ajax' && opensAtOnce)
      this.#openAtClick(this.#createBank(attempt, true))
    if (attempt.over) return
    const waiting = { over: false }
    attempt.settleBefore = (gives) => {
      waiting.over = true
      delete attempt.settleBefore
      if (gives === 'error') return void this.#fail(attempt, 'integration.before')
      if (gives === 'true') return void this.#pay(attempt)
      if (attempt.bank) this.#close(attempt.bank, 'cancelled')
      this.#end(attempt, 'idle')
    }
    this.#after(TIMEOUTS.before, waiting, () => {
      delete attempt.settleBefore
      this.#fail(attempt, 'integration.before')
    })
  }

  #pay(attempt: Attempt): void {
    if (!this.#isFilled) return void this.#fail(attempt, 'validation.native')
    this.#go('encrypting')
    if (attempt.over) return
    const { type, mpi } = this.setting
    if (type === 'form' || mpi === 'none') return void this.#send(attempt, type === 'form', false)
    if (mpi === 'redirect') return void this.#soon(attempt, () => this.#send(attempt, true, true))
    this.#askBank(attempt.bank ?? this.#createBank(attempt, !attempt.renewed))
  }

  #send(attempt: Attempt, form: boolean, mpi: boolean): void {
    this.#go('sending')
    if (attempt.over) return
    attempt.sent = { form, mpi }
    if (form) this.#leave(attempt)
    else this.#deliver(attempt)
  }

  #deliver(attempt: Attempt): void {
    const since = this.#now
    this.#ask('pay', attempt, TIMEOUTS.request, (answer) => {
      const isLate = answer === 'late'
      if (typeof answer === 'object' && typeof answer.payment === 'string')
        return void this.#settle(attempt, answer.payment)
      const stopped = this.#now - since < 50 ? 'network.blocked' : 'network.unreachable'
      const code =
        typeof answer === 'object'
          ? Object(answer.payment).lost
          : isLate
            ? 'network.timeout'
            : stopped
      this.#after(0, attempt, () => {
        const before = attempt.forbidden ?? 0
        this.#askService(attempt, (found) => {
          if (isFate(found)) return void this.#settle(attempt, found)
          const why = attempt.forbidden && typeof answer !== 'object' ? 'network.csp' : code
          const isOrigin = why === 'network.csp' && before > 0 && (attempt.forbidden ?? 0) > before
          const isNotSent =
            isOrigin || (found && (why === 'network.csp' || why === 'network.blocked'))
          this.#fail(attempt, why, isNotSent ? 'not_sent' : 'unknown')
        })
      })
    })
  }

  #left?: ((isForbidden: boolean) => void) | undefined

  #leave(attempt: Attempt): void {
    this.log.push('post page')
    let isTold = false
    this.#left = (isForbidden) => {
      if (isTold || attempt.over) return
      isTold = true
      this.#askService(attempt, (found) => {
        if (!isForbidden) this.#settle(attempt, isSettled(found) ? found : undefined)
        else if (isFate(found)) this.#settle(attempt, found)
        else this.#fail(attempt, 'network.csp', found ? 'not_sent' : 'unknown')
      })
    }
    const left = this.#left
    this.#after(TIMEOUTS.leave, attempt, () => left(false))
  }

  #askService(attempt: Attempt, told: (found: Answer['asked']) => void, round = 1): void {
    this.#ask('ask', attempt, TIMEOUTS.status, (answer) => {
      const found = typeof answer === 'object' && answer.status === 200 ? answer.asked : undefined
      if (isFate(found) || round === 3) told(found)
      else
        this.#after(TIMEOUTS.statusRetry, attempt, () => this.#askService(attempt, told, round + 1))
    })
  }

  #settle(attempt: Attempt, fate: Fate | undefined): void {
    if (attempt.over) return
    if (!fate) this.#end(attempt, 'idle')
    else if (fate === 'declined') this.#fail(attempt, '129', 'rejected')
    else if (fate === 'old key' && attempt.renewed) this.#fail(attempt, '197', 'rejected')
    else if (fate === 'old key') this.#renew(attempt)
    else if (fate === 'page' && attempt.sent?.mpi && !attempt.visited) this.#visit(attempt)
    else if (fate !== 'paid') this.#fail(attempt, 'api.pending', 'pending')
    else if (this.#end(attempt, 'success')) this.#emit('success')
  }

  #renew(attempt: Attempt): void {
    attempt.renewed = true
    attempt.sent = attempt.bank = undefined
    this.#ask('script', attempt, TIMEOUTS.status, (answer) => {
      if (typeof answer === 'object' && answer.key === 'another') this.#pay(attempt)
      else this.#settle(attempt, 'old key')
    })
  }

  #createBank(of: Attempt, mayOpen: boolean): Bank {
    const bank: Bank = {
      of,
      over: false,
      mayOpen,
      misses: 0,
      stopped: (code) => this.#fail(of, code),
    }
    of.banks.push(bank)
    of.bank = bank
    return bank
  }

  #openAtClick(bank: Bank): void {
    if (bank.mayOpen && this.setting.mpi !== 'iframe') this.#openWindow(bank)
    bank.mayOpen = false
  }

  #openWindow(bank: Bank): void {
    this.log.push('window')
    if (this.#isBlocking) return
    bank.view = 'popup'
    this.#emit('open popup')
  }

  #askBank(bank: Bank): void {
    this.#go('mpi')
    if (bank.over) return
    this.#after(TIMEOUTS.mpi, bank, () =>
      this.#look(bank, () => {
        if (!bank.over) this.#stop(bank, 'timeout', 'mpi.timeout')
      }),
    )
    this.#present(bank, () => {
      bank.isHeard = bank.posted = true
      this.log.push('post bank')
      let isLooking = false
      const keepLooking = () => {
        if (isLooking) return
        isLooking = true
        const again = () => this.#look(bank, () => this.#after(1_500, bank, again))
        again()
      }
      this.#watch(bank, () => {
        this.#after(TIMEOUTS.closeGrace, bank, () => {
          bank.isGone = true
          keepLooking()
        })
      })
      this.#after(4_000, bank, keepLooking)
    })
  }

  /** Tries each way to show the bank's page until one succeeds. */
  #present(bank: Bank, then: () => void): void {
    const { mpi } = this.setting
    const go = () => {
      if (bank.over) return
      if (!bank.view && mpi === 'popup') return void this.#stop(bank, 'blocked', 'mpi.blocked')
      if (bank.view) {
        this.#after(500, bank, () => {
          bank.panel = 'waiting'
        })
      } else {
        bank.view = 'iframe'
        bank.panel = 'waiting'
        this.#emit('open iframe')
      }
      this.#soon(bank, then)
    }
    this.#openAtClick(bank)
    if (bank.over) return
    if (bank.view && bank.isShut) return void this.#stop(bank, 'closed', 'mpi.closed')
    if (bank.view || mpi === 'iframe') return void go()
    let isRetried = false
    bank.retry = () => {
      if (bank.over) return
      const isFirst = !isRetried
      isRetried = true
      if (!bank.view) this.#openWindow(bank)
      if (!bank.over) bank.panel = undefined
      if (isFirst && isAsked) this.#soon(bank, go)
    }
    let isAsked = false
    const deed = this.#emit('blocked')
    isAsked = true
    if (isRetried) this.#soon(bank, go)
    else if (!bank.over && deed !== 'prevent') bank.panel = 'blocked'
  }

  /** Waits until the window appears to be closed. */
  #watch(bank: Bank, shut: () => void): void {
    if (bank.view === 'popup' && bank.isShut) {
      bank.panel = 'waiting'
      shut()
    } else this.#after(TIMEOUTS.closePoll, bank, () => this.#watch(bank, shut))
  }

  #find(bank: Bank, then: (status: number, word: Answer['looked']) => void = () => {}): void {
    this.#ask('look', bank, TIMEOUTS.status, (answer) => {
      const status = typeof answer === 'object' ? answer.status : 0
      const word = status === 200 ? Object(answer).looked : undefined
      this.#hear(bank, word, false)
      if (!bank.over) then(status, word)
    })
  }

  #look(bank: Bank, then: () => void = () => {}): void {
    this.#find(bank, (status, word) => {
      const isGone = bank.isGone && (status === 404 || word === 'gone')
      bank.misses = isGone || !word ? bank.misses + 1 : 0
      if (isGone && bank.misses >= 3) this.#stop(bank, 'closed', 'mpi.closed')
      else if (bank.misses === 4) this.#stop(bank, 'timeout', 'mpi.unreachable')
      if (!bank.over) then()
    })
  }

  #hear(bank: Bank, word: Answer['looked'], isMessage: boolean): void {
    if (word === 'failed') this.#stop(bank, 'completed', 'mpi.failed')
    if (word === 'refused') {
      this.#close(bank, 'completed')
      this.#fail(bank.of, '126', 'rejected')
    }
    if (word === 'passed') {
      this.#close(bank, 'completed')
      if (!bank.of.over) this.#send(bank.of, false, true)
    }
    if (word === 'wordless' && isMessage) this.#look(bank)
    else if (word === 'wordless') this.#stop(bank, 'completed', 'mpi.protocol')
  }

  #visit(attempt: Attempt): void {
    attempt.visited = true
    const bank = this.#createBank(attempt, false)
    const go = (fate: Fate) => {
      if (attempt.over) return
      this.#go('sending')
      this.#settle(attempt, fate)
    }
    bank.stopped = () => go('page')
    this.#go('mpi')
    if (bank.over) return
    this.#after(TIMEOUTS.mpi, bank, () => this.#stop(bank, 'timeout', 'mpi.timeout'))
    this.#present(bank, () => {
      this.#watch(bank, () => {})
      let misses = 0
      const again = () =>
        this.#after(1_500, bank, () =>
          this.#askService(attempt, (found) => {
            if (bank.over) return
            misses = found ? 0 : misses + 1
            if (misses === 2) return void this.#stop(bank, 'timeout', 'mpi.unreachable')
            if (!isSettled(found)) return again()
            this.#close(bank, 'completed')
            go(found)
          }),
        )
      again()
    })
  }

  #forbid(attempt: Attempt, bank: Bank | undefined, directive: Directive): void {
    if (directive === 'connect-src') {
      if (attempt.sent && !attempt.sent.form) attempt.forbidden = (attempt.forbidden ?? 0) + 1
    } else if (bank?.isHeard) this.#stop(bank, 'blocked', 'mpi.csp')
    else if (directive === 'form-action' && attempt.sent?.form) this.#left?.(true)
  }

  #stop(bank: Bank, reason: string, code: string): void {
    if (bank.over) return
    this.#close(bank, reason)
    if (!bank.of.over) bank.stopped(code)
  }

  #close(bank: Bank, reason: string): void {
    if (bank.over) return
    bank.over = true
    if (reason !== 'completed' && bank.posted) this.log.push('cancel')
    if (bank.view) this.#emit(`close ${reason}`)
  }

  #comeBack(attempt: Attempt): void {
    if (!attempt.sent) return void this.#end(attempt, 'idle')
    this.#askService(attempt, (found) => {
      const { sent } = attempt
      if (sent?.form) this.#settle(attempt, isSettled(found) ? found : undefined)
      else if (isFate(found)) this.#settle(attempt, found)
      else if (found || !sent) this.#end(attempt, 'idle')
      else this.#fail(attempt, 'network.unreachable', 'unknown')
    })
  }

  #abort(): void {
    const attempt = this.#attempt
    if (attempt) this.#fail(attempt, 'network.aborted', attempt.sent ? 'unknown' : 'not_sent')
  }

  #destroy(): void {
    this.#isDestroyed = true
    if (this.#attempt) this.#end(this.#attempt, 'idle')
    this.#attempt = undefined
  }

  #reset(): void {
    if (this.#isDestroyed || BUSY.includes(this.state) || this.state === 'idle') return
    this.#attempt = undefined
    this.#go('idle')
  }

  #fail(attempt: Attempt, code: string, outcome = 'not_sent'): void {
    if (this.#end(attempt, 'fail')) this.#emit(`fail ${code} ${outcome}`)
  }

  /**
   * Ends an attempt.
   * @returns false if the attempt had ended already
   */
  #end(attempt: Attempt, to: string): boolean {
    if (attempt.over) return false
    attempt.over = true
    for (const bank of attempt.banks.toReversed()) this.#close(bank, 'aborted')
    this.#go(to)
    return true
  }
}

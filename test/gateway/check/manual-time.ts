import type { CheckTime } from '../../../mock-gateway/check/time.ts'

/** Time that passes only while the check waits. Jobs of a shop run when they fall due. */
export interface ManualTime extends CheckTime {
  /** Runs a job after so many milliseconds. */
  later(milliseconds: number, job: () => Promise<unknown>): void
}

export function createManualTime(): ManualTime {
  const jobs: { readonly at: number; readonly job: () => Promise<unknown> }[] = []
  let now = 0
  const takeDue = (until: number) => {
    const [next] = jobs.toSorted((one, other) => one.at - other.at)
    if (!next || next.at > until) return undefined
    jobs.splice(jobs.indexOf(next), 1)
    return next
  }
  return {
    elapsed: () => now,
    later: (milliseconds, job) => void jobs.push({ at: now + milliseconds, job }),
    async wait(milliseconds) {
      const until = now + milliseconds
      for (let due = takeDue(until); due; due = takeDue(until)) {
        now = Math.max(now, due.at)
        await due.job()
      }
      now = Math.max(now, until)
    },
  }
}

import { Router } from 'express'
import { MOVE_FIELDS, type MoveName, readMove } from '../../parsing/control/clock.ts'
import { pickOnly, readMerchantId } from '../../parsing/control/read.ts'
import type { DueItem, DueResult } from '../../scheduler/due.ts'
import type { ClockReport, ClockView, Scheduler } from '../../scheduler/scheduler.ts'
import { exchangeOf } from '../http/exchange.ts'

export interface ClockControlDependencies {
  readonly timeline: Scheduler
}

/** `/_control/clock`: reads clocks and moves them. */
export function clockControl({ timeline }: ClockControlDependencies): Router {
  const router = Router()

  router.get('/', async (_request, response) => {
    const { parameters } = exchangeOf(response)
    pickOnly(parameters, [])
    response.json(presentView(await timeline.view(readMerchantId(parameters))))
  })

  for (const name of Object.keys(MOVE_FIELDS) as MoveName[])
    router.post(`/${name}`, async (_request, response) => {
      const { move, options } = readMove(name, exchangeOf(response).parameters)
      response.json(presentReport(await timeline.move(move, options)))
    })

  return router
}

const presentReport = ({ from, happened, quiet, ...view }: ClockReport) => {
  const { next, ...rest } = presentView(view)
  return { ...rest, from: iso(from), happened: happened.map(presentDue), quiet, next }
}

const presentView = ({ merchantId, mode, now, next }: ClockView) => ({
  merchant_id: merchantId ?? null,
  mode,
  now: iso(now),
  next: next.map(presentDue),
})

const presentDue = ({
  at,
  kind,
  merchantId,
  id,
  what,
  facts,
}: DueItem & { readonly kind: string } & Partial<DueResult>) => ({
  at: iso(at),
  kind,
  merchant_id: merchantId,
  id,
  ...(what === undefined ? {} : { what }),
  ...facts,
})

/** With milliseconds, because a clock can be stopped between two seconds. */
const iso = (at: number) => new Date(at).toISOString()

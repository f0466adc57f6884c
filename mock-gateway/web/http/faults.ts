import type { RequestHandler, Response } from 'express'
import { GatewayError } from '../../domain/errors/errors.ts'
import type { FaultKind } from '../../domain/fault-kinds.ts'
import { timers } from '../../domain/timers.ts'
import type { Faults } from '../../storage/faults.ts'
import type { FaultRow } from '../../storage/tables/sandbox.ts'

/** Addresses where faults are injected and deleted. */
const SPARED = /^\/(?:_control|console)(?:\/|$)/i

/** Applies the faults that name no merchant, before anything of a request is read. */
export const applyFaults: RequestHandler = (request, response, next) => {
  // Faults can always be deleted.
  const applied = SPARED.test(request.path) ? undefined : applyFault(response, undefined)
  return applied ? applied.then(() => next()) : next()
}

/**
 * Applies the first fault that affects a request.
 * @param merchantId owner of the faults; undefined: faults without a merchant
 * @returns undefined if there is nothing to wait for
 * @throws errors.service_not_available (243) with 503
 */
export function applyFault(
  response: Response,
  merchantId: number | undefined,
): Promise<void> | undefined {
  const { faults } = response.locals.exchange.service
  return faults.isPossible() ? applyFirst(faults, response, merchantId) : undefined
}

async function applyFirst(
  faults: Faults,
  response: Response,
  merchantId: number | undefined,
): Promise<void> {
  const { method, originalUrl } = response.req
  const fault = await faults.take({ method, path: originalUrl.replace(/\?.*$/s, ''), merchantId })
  if (!fault) return
  response.locals.exchange.struck = fault.kind
  await EFFECTS[fault.kind](response, fault)
}

const EFFECTS: Readonly<
  Record<FaultKind, (response: Response, fault: FaultRow) => Promise<void> | void>
> = {
  latency: (_response, { milliseconds }) => wait(milliseconds),
  late_answer: (response, { milliseconds }) =>
    onAnswer(response, async (body, answer) => {
      await wait(milliseconds)
      answer.end(body)
    }),
  drop: (response) => onAnswer(response, () => response.req.socket.destroy()),
  cut_answer: (response) =>
    onAnswer(response, (body, answer) => {
      response.setHeader('Content-Length', body.length)
      answer.write(body.subarray(0, body.length / 2), () => response.req.socket.destroy())
    }),
  bad_gateway: (response) =>
    onAnswer(response, (_body, answer) => {
      for (const name of response.getHeaderNames())
        if (!OWN_HEADER.test(name)) response.removeHeader(name)
      response.status(502).setHeader('Content-Type', 'text/html')
      response.setHeader('Content-Length', Buffer.byteLength(PROXY_PAGE))
      answer.end(PROXY_PAGE)
    }),
  unavailable() {
    throw new GatewayError('errors.service_not_available', { explain: ORDERED, http: 503 })
  },
  rate_limit(response) {
    response.setHeader('Retry-After', '1')
    throw new GatewayError('errors.service_not_available', { explain: ORDERED, http: 429 })
  },
}

const ORDERED = 'This fault was injected with /_control/faults.'

/** Headers that a response keeps: they identify the mock and the request. */
const OWN_HEADER = /^(?:mondido-|x-request-id)/

const PROXY_PAGE =
  '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>\n'

const wait = (milliseconds: number) =>
  new Promise<void>((resolve) => timers.setTimeout(resolve, milliseconds).unref())

/** Functions that send the response. */
interface Answer {
  write(chunk: Buffer, done: () => void): unknown
  end(body: Buffer | string): unknown
}

/** Executes the request without sending its response: `send` receives the whole body instead. */
function onAnswer(response: Response, send: (body: Buffer, answer: Answer) => unknown) {
  const { write, end, writeHead } = response
  const chunks: Buffer[] = []
  const keep = (chunk: unknown) => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk))
    return true
  }
  Object.assign(response, {
    writeHead: (status: number) => response.status(status),
    write: keep,
    end(chunk: unknown) {
      keep(chunk)
      Object.assign(response, { write, end, writeHead })
      send(Buffer.concat(chunks), {
        write: (part, done) => write.call(response, part, 'utf8', done),
        end: (body) => end.call(response, body, 'utf8'),
      })
      return response
    },
  })
}

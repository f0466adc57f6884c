import express, { type RequestHandler } from 'express'
import { expect, test } from 'vitest'
import { answerInProcess } from '../../../../mock-gateway/web/http/in-process.ts'
import { inTurn } from '../../../../mock-gateway/web/http/pipeline.ts'

const steps: string[] = []
const step =
  (name: string): RequestHandler =>
  (_request, _response, next) => {
    steps.push(name)
    next()
  }

/** What is answered where these stand before the end, and after which steps. */
async function answer(...handlers: readonly RequestHandler[]) {
  steps.length = 0
  const app = express()
  app.use(inTurn(step('first'), ...handlers, step('last')))
  app.use((_request, response) => response.send('done'))
  app.use(((error, _request, response, _next) =>
    response.send(`refused: ${error.message}`)) as express.ErrorRequestHandler)
  const answered = await answerInProcess(app)(new Request('http://localhost/'))
  return [await answered.text(), ...steps]
}

test('handlers follow one another, whether they wait or not', async () => {
  const waits: RequestHandler = async (_request, _response, next) => {
    await Promise.resolve()
    next()
  }
  expect(await answer(step('second'), waits)).toEqual(['done', 'first', 'second', 'last'])
})

const ERROR = new RangeError('no')

test.each<[string, RequestHandler]>([
  [
    'throws',
    () => {
      throw ERROR
    },
  ],
  [
    'rejects',
    async () => {
      throw ERROR
    },
  ],
  ['says that it fails', (_request, _response, next) => next(ERROR)],
])('what follows one that %s is left out', async (_how, handler) => {
  expect(await answer(handler)).toEqual(['refused: no', 'first'])
})

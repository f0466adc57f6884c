import express, { type RequestHandler } from 'express'
import { expect, test } from 'vitest'
import { answerInProcess } from '../../../../mock-gateway/web/http/in-process.ts'
import { shortcuts } from '../../../../mock-gateway/web/http/pipeline.ts'

const reached: string[] = []

/** Says where it was reached, by which route, and with which id. */
const told =
  (name: string): RequestHandler<{ id: string }> =>
  ({ params, route }, response) =>
    response.send([name, route?.path, params.id].join(' '))

const before: RequestHandler = ({ query }, _response, next) => {
  reached.push('before')
  next(query.fails === undefined ? undefined : new RangeError('no'))
}

async function answer(method: string, address: string) {
  reached.length = 0
  const app = express()
  app.use('/v1', shortcuts(before, { 'GET /cards': told('list'), 'GET /cards/:id': told('read') }))
  app.use((_request, response) => response.send('goes on'))
  app.use(((error, _request, response, _next) => response.send(error.message)) as express.ErrorRequestHandler)
  const answered = await answerInProcess(app)(new Request(`http://localhost${address}`, { method }))
  return [await answered.text(), ...reached]
}

test.each([
  ['/v1/cards', 'list /cards '],
  ['/v1/cards?limit=10', 'list /cards '],
  ['/v1/cards/17', 'read /cards/:id 17'],
  ['/v1/cards/007?extend=a/b', 'read /cards/:id 007'],
])('%s is found in one step, behind what stands before', async (address, text) => {
  expect(await answer('GET', address)).toEqual([text, 'before'])
})

test.each([
  '/v1/cards/',
  '/v1/Cards',
  '/v1/cards/x',
  '/v1/cards/1/2',
  '/v1/cards/1/',
  '/v1/others',
  '/v1/',
  '/cards/1',
])('%s goes on to the routers', async (address) => expect(await answer('GET', address)).toEqual(['goes on']))

test('another method goes on to the routers', async () => {
  expect(await answer('PUT', '/v1/cards/17')).toEqual(['goes on'])
})

test('what is refused before the route is not noted as it', async () => {
  expect(await answer('GET', '/v1/cards/17?fails=1')).toEqual(['no', 'before'])
})

import type { Request, Response } from 'express'
import { expect, test, vi } from 'vitest'
import { UnavailableError } from '../../../../mock-gateway/storage/unavailable.ts'
import { authenticate } from '../../../../mock-gateway/web/http/login.ts'
import { loadWhenAsked } from '../../../../mock-gateway/web/http/pipeline.ts'

const [request, response, next] = [{} as Request, {} as Response, () => {}]

test('a handler is loaded by its first request, and once', async () => {
  const handle = vi.fn()
  const load = vi.fn(async () => handle)
  const handler = loadWhenAsked(load, (loaded) => loaded)
  expect(load).not.toHaveBeenCalled()
  await Promise.all([handler(request, response, next), handler(request, response, next)])
  expect(load).toHaveBeenCalledTimes(1)
  expect(handle).toHaveBeenCalledTimes(2)
})

test('a handler that could not be loaded is loaded by the next request', async () => {
  const handle = vi.fn()
  const load = vi.fn(async () => handle).mockRejectedValueOnce(new Error('too many open files'))
  const handler = loadWhenAsked(load, (loaded) => loaded)
  await expect(handler(request, response, next)).rejects.toThrow('too many open files')
  await handler(request, response, next)
  expect(handle).toHaveBeenCalledTimes(1)
})

test('a login asks a database that does not answer only once', async () => {
  const authenticator = {
    login: vi.fn(() => Promise.reject(new UnavailableError('away'))),
    find: vi.fn(() => Promise.resolve(undefined)),
  }
  const headers = { authorization: `Basic ${btoa('1:custom00')}` }
  const request = {
    headers,
    rawHeaders: Object.entries(headers).flat(),
    headersDistinct: { authorization: [headers.authorization] },
    socket: { remoteAddress: '127.0.0.1' },
  } as unknown as Request
  const response = {
    locals: { exchange: { times: {}, now: 0, getNow: () => 0 } },
  } as unknown as Response
  await expect(authenticate(authenticator, request, response)).rejects.toThrow('away')
  expect(authenticator.login).toHaveBeenCalledOnce()
  expect(authenticator.find).not.toHaveBeenCalled()
})
